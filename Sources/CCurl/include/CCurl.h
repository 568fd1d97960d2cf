// One HTTP request at a time, by libcurl.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

/// A request. Texts may be NULL where that is said.
struct ccurl_request {
    const char *method;
    const char *url;
    /// Lines such as `Accept: application/json`.
    const char *const *headers;
    size_t header_count;
    /// NULL for none.
    const char *body;
    size_t body_length;
    /// A file with the certificates of the authorities that count; NULL for those of the system.
    const char *ca_file;
    /// Whether `http` is allowed besides `https`.
    int plain_http;
    /// The longest time of the whole request.
    long seconds;
    /// The largest answer in bytes. A longer one is an error.
    size_t limit;
};

/// How a request ended.
struct ccurl_response {
    /// The status of the answer; 0 if there is none.
    long status;
    /// NULL without an answer. The caller frees it with `ccurl_free`.
    char *body;
    size_t length;
    /// What failed; empty if there is an answer.
    char failure[256];
    /// The time after which the server wants to be asked again, in seconds; 0 if it names none.
    long retry_after;
    /// Whether the server may have got a part of the request.
    int may_have_arrived;
};

/// Makes a request: without a proxy, without redirects, and with the verification of certificates. It keeps no cookie and no
/// connection.
void ccurl_perform(const struct ccurl_request *request, struct ccurl_response *response);

/// Overwrites and frees an answer.
void ccurl_free(struct ccurl_response *response);

#endif
