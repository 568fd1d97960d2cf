#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sink {
    char *bytes;
    size_t length, limit;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct sink *sink = context;
    size_t more = size * count;
    if (more > sink->limit - sink->length) return 0;
    char *grown = malloc(sink->length + more + 1);
    if (grown == NULL) return 0;
    if (sink->length > 0) memcpy(grown, sink->bytes, sink->length);
    memcpy(grown + sink->length, bytes, more);
    if (sink->bytes != NULL) {
        // `realloc` would leave a copy of a secret behind.
        explicit_bzero(sink->bytes, sink->length);
        free(sink->bytes);
    }
    sink->bytes = grown;
    sink->length += more;
    return more;
}

static void fail(struct ccurl_response *response, const char *why) {
    snprintf(response->failure, sizeof response->failure, "%s", why);
}

void ccurl_perform(const struct ccurl_request *request, struct ccurl_response *response) {
    memset(response, 0, sizeof *response);
    char message[CURL_ERROR_SIZE] = "";
    struct sink sink = {NULL, 0, request->limit};
    struct curl_slist *headers = NULL;
    CURL *handle = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_easy_init() : NULL;
    if (handle == NULL) return fail(response, "libcurl cannot be used");
    for (size_t i = 0; i < request->header_count; i++) {
        struct curl_slist *longer = curl_slist_append(headers, request->headers[i]);
        if (longer == NULL) {
            curl_slist_free_all(headers);
            curl_easy_cleanup(handle);
            return fail(response, "no memory");
        }
        headers = longer;
    }
    curl_easy_setopt(handle, CURLOPT_URL, request->url);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    if (request->body != NULL) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    }
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &sink);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, message);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, request->seconds);
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    // The variables of the environment must not send a token elsewhere.
    curl_easy_setopt(handle, CURLOPT_PROXY, request->proxy != NULL ? request->proxy : "");
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "");
    curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, request->plain_http ? "http,https" : "https");
    if (request->ca_file != NULL) {
        curl_easy_setopt(handle, CURLOPT_CAINFO, request->ca_file);
        curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
    }
    CURLcode code = curl_easy_perform(handle);
    curl_off_t sent = 0;
    // Before that, at most a proxy has got something.
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &sent);
    response->may_have_arrived = sent > 0;
    if (code == CURLE_OK) {
        curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->status);
        curl_off_t after = 0;
        curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &after);
        response->retry_after = after <= 0 ? 0 : after < 1000000 ? (long)after : 1000000;
        response->body = sink.bytes;
        response->length = sink.length;
    } else {
        if (code == CURLE_WRITE_ERROR)
            fail(response, "the answer is too long");
        else
            fail(response, message[0] != 0 ? message : curl_easy_strerror(code));
        struct ccurl_response rest = {.body = sink.bytes, .length = sink.length};
        ccurl_free(&rest);
    }
    curl_easy_cleanup(handle);
    curl_slist_free_all(headers);
}

void ccurl_free(struct ccurl_response *response) {
    if (response->body != NULL) explicit_bzero(response->body, response->length);
    free(response->body);
    response->body = NULL;
}
