// HTTP requests by libcurl: one at a time, or many on one thread.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

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
    /// The proxy; NULL for none.
    const char *proxy;
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

/// Makes a request: without a proxy of the environment, without redirects, and with the verification of certificates. It keeps no cookie and no
/// connection.
void ccurl_perform(const struct ccurl_request *request, struct ccurl_response *response);

/// Overwrites and frees an answer.
void ccurl_free(struct ccurl_response *response);

/// The parts of a URL, as libcurl itself would understand it.
struct ccurl_url {
    char scheme[16];
    /// Lower case; an IPv6 address with its brackets.
    char host[256];
    long port;
    /// Whether it has a user or a password.
    int has_user;
};

/// Reads an absolute URL. Returns 0 if it can be used.
int ccurl_parse(const char *url, struct ccurl_url *parts);

/// Resolves a reference against an absolute URL. The caller frees the result; NULL if there is none.
char *ccurl_resolve(const char *base, const char *reference);

/// A count that one thread writes and others read.
struct ccurl_meter;
/// NULL without memory.
struct ccurl_meter *ccurl_meter_new(void);
int64_t ccurl_meter_read(struct ccurl_meter *meter);
void ccurl_meter_free(struct ccurl_meter *meter);

/// Many requests at a time. All calls but `ccurl_engine_wake` belong to one thread.
struct ccurl_engine;

/// Opens the file for the body of an answer. The caller closes it after the end of the request.
///
/// - headers: lines as in `struct ccurl_ended`.
/// - offset: gets the position in the file at which the body begins.
/// Returns the descriptor; -1 if the body stays in memory, where it is cut at the limit; -2 if the request must end.
typedef int (*ccurl_begin_file)(void *context, long status, const char *headers, size_t headers_length, int64_t *offset);

/// A request of an engine. The engine copies the texts and the bytes.
struct ccurl_job {
    const char *method;
    const char *url;
    const char *const *headers;
    size_t header_count;
    /// The body; NULL for none, or if there is a file.
    const char *body;
    size_t body_length;
    /// A file with the body, which the caller closes after the end of the request; -1 for none.
    int body_file;
    /// The first byte of the file that is sent; `body_length` bytes are.
    int64_t body_offset;
    /// Whether it must not use a connection of an earlier request, which may be dead.
    int is_fresh;
    /// Counts the bytes of the body that have been handed to the connection; NULL for none. It outlives the request.
    struct ccurl_meter *meter;
    /// Signs the request as AWS does (version 4), such as `aws:amz:us-east-1:s3`, with `key:secret`; NULL for no signature.
    const char *signature;
    const char *signature_secret;
    const char *ca_file;
    /// The proxy; NULL for none.
    const char *proxy;
    int plain_http;
    /// Whether every address may be called. Otherwise those of private networks are refused, on the connection itself.
    int any_address;
    /// The longest time of the whole request; 0 for no limit.
    long seconds;
    /// The longest time without a byte in either direction, and for the connection.
    long stall_seconds;
    /// The longest time without a byte of the answer after the whole body was sent.
    long answer_seconds;
    /// The largest answer in bytes, and the largest headers.
    size_t limit;
    size_t header_limit;
    /// Says where the body of the answer goes, before its first byte; NULL if it stays in memory. It is called on the thread of the engine.
    ccurl_begin_file begin_file;
    void *begin_context;
    /// The largest file, in bytes.
    int64_t file_limit;
};

/// Why a request has no answer.
enum ccurl_end {
    CCURL_ANSWERED,
    /// The address is one of a private network.
    CCURL_REFUSED_ADDRESS,
    /// The host takes no connection.
    CCURL_UNREACHABLE,
    /// The host has no address, or there is no route to it.
    CCURL_UNROUTED,
    /// The certificate does not belong to the host, or no authority that counts has signed it.
    CCURL_UNTRUSTED,
    /// The body of the answer is too large.
    CCURL_TOO_LARGE,
    CCURL_LONG_HEADERS,
    CCURL_TOO_SLOW,
    /// The connection broke, or the server does not speak HTTP.
    CCURL_BROKEN,
    /// The URL, or a part of the request, cannot be used.
    CCURL_UNUSABLE,
    /// The file of the answer cannot be written.
    CCURL_UNWRITABLE,
};

/// How a request of an engine ended.
struct ccurl_ended {
    int64_t id;
    enum ccurl_end end;
    long status;
    /// Lines such as `content-type: text/plain`, with a line feed behind each; those of the last answer alone.
    char *headers;
    size_t headers_length;
    char *body;
    size_t body_length;
    char failure[256];
    long retry_after;
    int may_have_arrived;
};

/// NULL if libcurl cannot be used. The engine copies the name with which it greets servers (`User-Agent`).
struct ccurl_engine *ccurl_engine_new(const char *name, long host_connections, long connections);
void ccurl_engine_free(struct ccurl_engine *engine);
/// Begins a request. Returns 0, or an `enum ccurl_end`.
int ccurl_engine_add(struct ccurl_engine *engine, int64_t id, const struct ccurl_job *job);
/// Ends a request without a result.
void ccurl_engine_cancel(struct ccurl_engine *engine, int64_t id);
/// Works until a request ends, `ccurl_engine_wake` is called, or the time is over. Returns 0 if none has ended, and -1 if the engine cannot go on. The caller frees the
/// result with `ccurl_ended_free`.
int ccurl_engine_next(struct ccurl_engine *engine, int milliseconds, struct ccurl_ended *ended);
/// May be called on any thread.
void ccurl_engine_wake(struct ccurl_engine *engine);
/// Overwrites and frees a result.
void ccurl_ended_free(struct ccurl_ended *ended);

/// Whether an address is one of a private network: private, shared, loopback, link-local, unspecified, multicast, or a form in which IPv6 embeds
/// such an address. `family` is AF_INET or AF_INET6, and `address` has 4 or 16 bytes.
int ccurl_is_private(int family, const unsigned char *address);

#endif
