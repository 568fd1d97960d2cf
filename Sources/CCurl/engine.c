#define _GNU_SOURCE
#include "CCurl.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct bytes {
    char *start;
    size_t length, room, limit;
};

struct request {
    struct request *next;
    CURL *handle;
    struct curl_slist *headers;
    int64_t id;
    struct bytes body, answer, answer_headers;
    /// What the headers of all answers together may still take. So endless interim answers end too.
    size_t header_rest;
    int file;
    /// The position within the body, which begins at `offset` of the file.
    curl_off_t offset, position, size;
    struct ccurl_meter *meter;
    long answer_seconds;
    ccurl_begin_file begin_file;
    void *begin_context;
    /// Where the answer goes: -1 is memory. The position is in the file.
    int answer_file, has_begun, is_cut, write_error;
    int64_t answer_position, file_limit;
    int any_address, is_refused, is_too_large, is_shortened;
    /// Whether the headers of the last answer have come to their end.
    int has_headers, has_long_headers;
    char message[CURL_ERROR_SIZE];
};

struct ccurl_meter {
    _Atomic int64_t count;
};

struct ccurl_engine {
    CURLM *multi;
    char *name;
    struct request *first;
};

// MARK: - Addresses

static int has_prefix(const unsigned char *address, const unsigned char *prefix, int bits) {
    int whole = bits / 8, rest = bits % 8;
    if (memcmp(address, prefix, (size_t)whole) != 0) return 0;
    return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
}

struct range {
    unsigned char prefix[16];
    int bits;
};

// The special-purpose registries of IANA: what is not globally reachable, and multicast.
static const struct range ranges4[] = {
    {{0}, 8},        {{10}, 8},          {{100, 64}, 10},     {{127}, 8},           {{169, 254}, 16}, {{172, 16}, 12},
    {{192, 0, 0}, 24}, {{192, 0, 2}, 24}, {{192, 88, 99}, 24}, {{192, 168}, 16},     {{198, 18}, 15},  {{198, 51, 100}, 24},
    {{203, 0, 113}, 24}, {{224}, 4},      {{240}, 4},
};

static const struct range ranges6[] = {
    // Unspecified, loopback, and all forms that begin with zeros but the mapped one, which was taken apart.
    {{0}, 8},
    {{0x01, 0x00}, 64},
    {{0x20, 0x01, 0x00, 0x02}, 48},
    {{0x20, 0x01, 0x0d, 0xb8}, 32},
    {{0x3f, 0xff}, 20},
    {{0x5f, 0x00}, 16},
    {{0xfc}, 7},
    {{0xfe, 0x80}, 10},
    {{0xfe, 0xc0}, 10},
    {{0xff}, 8},
    // Translation: NAT64 (both prefixes), Teredo, 6to4. They lead to any IPv4 address.
    {{0x00, 0x64, 0xff, 0x9b}, 32},
    {{0x20, 0x01, 0x00, 0x00}, 32},
    {{0x20, 0x02}, 16},
};

int ccurl_is_private(int family, const unsigned char *address) {
    static const unsigned char mapped[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (family == AF_INET6 && has_prefix(address, mapped, 96)) {
        family = AF_INET;
        address += 12;
    }
    if (family == AF_INET) {
        for (size_t i = 0; i < sizeof ranges4 / sizeof *ranges4; i++)
            if (has_prefix(address, ranges4[i].prefix, ranges4[i].bits)) return 1;
        return 0;
    }
    if (family != AF_INET6) return 1;
    for (size_t i = 0; i < sizeof ranges6 / sizeof *ranges6; i++)
        if (has_prefix(address, ranges6[i].prefix, ranges6[i].bits)) return 1;
    return 0;
}

/// Sees each address that a connection is made to, after the name was resolved.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct request *request = context;
    (void)purpose;
    if (!request->any_address) {
        const unsigned char *bytes = NULL;
        if (address->family == AF_INET)
            bytes = (const unsigned char *)&((const struct sockaddr_in *)&address->addr)->sin_addr;
        if (address->family == AF_INET6)
            bytes = (const unsigned char *)&((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
        if (bytes == NULL || ccurl_is_private(address->family, bytes)) {
            request->is_refused = 1;
            return CURL_SOCKET_BAD;
        }
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// MARK: - Bytes

static int append(struct bytes *own, const char *more, size_t length) {
    if (length > own->limit - own->length) return 0;
    if (own->length + length > own->room) {
        size_t room = own->room * 2 > own->length + length ? own->room * 2 : own->length + length;
        char *grown = malloc(room);
        if (grown == NULL) return 0;
        if (own->start != NULL) {
            // `realloc` would leave a copy of a secret behind.
            memcpy(grown, own->start, own->length);
            explicit_bzero(own->start, own->length);
            free(own->start);
        }
        own->start = grown;
        own->room = room;
    }
    if (length > 0) memcpy(own->start + own->length, more, length);
    own->length += length;
    return 1;
}

static void clear(struct bytes *own) {
    if (own->start != NULL) explicit_bzero(own->start, own->length);
    free(own->start);
    own->start = NULL;
    own->length = own->room = 0;
}

static int write_all(struct request *request, const char *bytes, size_t length) {
    if ((int64_t)length > request->file_limit - request->answer_position) {
        request->is_too_large = 1;
        return 0;
    }
    while (length > 0) {
        ssize_t written = pwrite(request->answer_file, bytes, length, (off_t)request->answer_position);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            request->write_error = written < 0 ? errno : EIO;
            return 0;
        }
        bytes += written;
        length -= (size_t)written;
        request->answer_position += written;
        if (request->meter != NULL) atomic_fetch_add(&request->meter->count, written);
    }
    return 1;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    size_t length = size * count;
    if (request->begin_file != NULL && !request->has_begun) {
        long status = 0;
        request->has_begun = 1;
        curl_easy_getinfo(request->handle, CURLINFO_RESPONSE_CODE, &status);
        request->answer_file = request->begin_file(
            request->begin_context, status, request->answer_headers.start, request->answer_headers.length,
            &request->answer_position);
        request->is_cut = request->answer_file == -1;
    }
    if (request->answer_file == -2) return 0;
    if (request->answer_file >= 0) return write_all(request, bytes, length) ? length : 0;
    size_t room = request->answer.limit - request->answer.length;
    // No one needs the whole page that says why there is no content.
    if (append(&request->answer, bytes, request->is_cut && length > room ? room : length)) return length;
    request->is_too_large = 1;
    return 0;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    size_t length = size * count, end = length;
    if (length > request->header_rest) {
        request->is_too_large = request->has_long_headers = 1;
        return 0;
    }
    request->header_rest -= length;
    if (length > 6 && strncmp(bytes, "HTTP/", 5) == 0 && bytes[5] >= '0' && bytes[5] <= '9') {
        // Another answer begins, behind an interim one.
        clear(&request->answer_headers);
        request->has_headers = 0;
        return length;
    }
    while (end > 0 && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n')) end--;
    if (end == 0) request->has_headers = 1;
    const char *colon = memchr(bytes, ':', end);
    if (colon == NULL) return length;
    struct bytes *own = &request->answer_headers;
    size_t before = own->length;
    if (!append(own, bytes, end) || !append(own, "\n", 1)) {
        request->is_too_large = request->has_long_headers = 1;
        return 0;
    }
    for (char *byte = own->start + before; *byte != ':'; byte++)
        if (*byte >= 'A' && *byte <= 'Z') *byte += 'a' - 'A';
    return length;
}

static size_t give_body(char *room, size_t size, size_t count, void *context) {
    struct request *request = context;
    curl_off_t rest = request->size - request->position;
    size_t most = size * count;
    if ((curl_off_t)most > rest) most = (size_t)rest;
    if (most == 0) return 0;
    if (request->file < 0) {
        memcpy(room, request->body.start + request->position, most);
    } else {
        ssize_t got;
        do got = pread(request->file, room, most, request->offset + request->position);
        while (got < 0 && errno == EINTR);
        // A file that has become shorter must not pass for a whole one.
        if (got <= 0) {
            request->is_shortened = 1;
            return CURL_READFUNC_ABORT;
        }
        most = (size_t)got;
    }
    request->position += (curl_off_t)most;
    // From now on the server works.
    if (request->position == request->size)
        curl_easy_setopt(request->handle, CURLOPT_LOW_SPEED_TIME, request->answer_seconds);
    if (request->meter != NULL) atomic_store(&request->meter->count, (int64_t)request->position);
    return most;
}

static int seek_body(void *context, curl_off_t offset, int origin) {
    struct request *request = context;
    if (origin != SEEK_SET || offset < 0 || offset > request->size) return CURL_SEEKFUNC_FAIL;
    request->position = offset;
    return CURL_SEEKFUNC_OK;
}

// MARK: - URLs

static int get(CURLU *url, CURLUPart part, char *room, size_t size, unsigned flags) {
    char *text = NULL;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return -1;
    int fits = strlen(text) < size;
    if (fits) strcpy(room, text);
    curl_free(text);
    return fits ? 0 : -1;
}

int ccurl_parse(const char *text, struct ccurl_url *parts) {
    memset(parts, 0, sizeof *parts);
    CURLU *url = curl_url();
    char port[16] = "";
    int result = -1;
    if (url != NULL && curl_url_set(url, CURLUPART_URL, text, CURLU_DISALLOW_USER) == CURLUE_USER_NOT_ALLOWED)
        parts->has_user = 1;
    else if (
        url != NULL && get(url, CURLUPART_SCHEME, parts->scheme, sizeof parts->scheme, 0) == 0
        && get(url, CURLUPART_HOST, parts->host, sizeof parts->host, 0) == 0
        && get(url, CURLUPART_PORT, port, sizeof port, CURLU_DEFAULT_PORT) == 0) {
        parts->port = strtol(port, NULL, 10);
        for (char *byte = parts->host; *byte != 0; byte++)
            if (*byte >= 'A' && *byte <= 'Z') *byte += 'a' - 'A';
        result = 0;
    }
    curl_url_cleanup(url);
    return result;
}

char *ccurl_resolve(const char *base, const char *reference) {
    CURLU *url = curl_url();
    char *text = NULL, *copy = NULL;
    if (url != NULL && curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK
        && curl_url_set(url, CURLUPART_URL, reference, 0) == CURLUE_OK
        && curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK)
        copy = strdup(text);
    curl_free(text);
    curl_url_cleanup(url);
    return copy;
}

// MARK: - The engine

struct ccurl_meter *ccurl_meter_new(void) { return calloc(1, sizeof(struct ccurl_meter)); }

int64_t ccurl_meter_read(struct ccurl_meter *meter) { return atomic_load(&meter->count); }

void ccurl_meter_free(struct ccurl_meter *meter) { free(meter); }

struct ccurl_engine *ccurl_engine_new(const char *name, long host_connections, long connections) {
    struct ccurl_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return NULL;
    engine->name = strdup(name);
    engine->multi = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_multi_init() : NULL;
    if (engine->multi == NULL || engine->name == NULL) {
        free(engine->name);
        free(engine);
        return NULL;
    }
    curl_multi_setopt(engine->multi, CURLMOPT_MAX_HOST_CONNECTIONS, host_connections);
    curl_multi_setopt(engine->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    return engine;
}

static void destroy(struct request *request) {
    if (request->handle != NULL) curl_easy_cleanup(request->handle);
    for (struct curl_slist *line = request->headers; line != NULL; line = line->next)
        explicit_bzero(line->data, strlen(line->data));
    curl_slist_free_all(request->headers);
    clear(&request->body);
    clear(&request->answer);
    clear(&request->answer_headers);
    free(request);
}

static struct request *detach(struct ccurl_engine *engine, struct request *wanted, int64_t id) {
    for (struct request **place = &engine->first; *place != NULL; place = &(*place)->next) {
        struct request *request = *place;
        if (wanted != NULL ? request != wanted : request->id != id) continue;
        *place = request->next;
        curl_multi_remove_handle(engine->multi, request->handle);
        return request;
    }
    return NULL;
}

void ccurl_engine_free(struct ccurl_engine *engine) {
    while (engine->first != NULL) destroy(detach(engine, engine->first, 0));
    curl_multi_cleanup(engine->multi);
    free(engine->name);
    free(engine);
}

int ccurl_engine_add(struct ccurl_engine *engine, int64_t id, const struct ccurl_job *job) {
    struct request *request = calloc(1, sizeof *request);
    if (request == NULL) return CCURL_UNUSABLE;
    request->id = id;
    request->file = job->body_file;
    request->offset = (curl_off_t)job->body_offset;
    request->meter = job->meter;
    request->answer_seconds = job->answer_seconds;
    request->size = (curl_off_t)job->body_length;
    request->any_address = job->any_address;
    request->begin_file = job->begin_file;
    request->begin_context = job->begin_context;
    request->file_limit = job->file_limit;
    request->answer_file = -1;
    request->answer.limit = job->limit;
    request->header_rest = job->header_limit;
    // A line feed replaces two bytes, or one.
    request->answer_headers.limit = job->header_limit + 1;
    request->body.limit = job->body_length;
    int is_ready = (request->handle = curl_easy_init()) != NULL
        && (job->body == NULL || append(&request->body, job->body, job->body_length));
    for (size_t i = 0; is_ready && i < job->header_count; i++) {
        struct curl_slist *longer = curl_slist_append(request->headers, job->headers[i]);
        is_ready = longer != NULL;
        if (is_ready) request->headers = longer;
    }
    if (!is_ready) {
        destroy(request);
        return CCURL_UNUSABLE;
    }
    CURL *handle = request->handle;
    // With an option that is not set, a weaker one would count.
    int code = 0;
    code |= curl_easy_setopt(handle, CURLOPT_PRIVATE, request);
    code |= curl_easy_setopt(handle, CURLOPT_URL, job->url);
    if (job->body != NULL || job->body_file >= 0) {
        code |= curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        code |= curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, request->size);
        code |= curl_easy_setopt(handle, CURLOPT_READFUNCTION, give_body);
        code |= curl_easy_setopt(handle, CURLOPT_READDATA, request);
        code |= curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek_body);
        code |= curl_easy_setopt(handle, CURLOPT_SEEKDATA, request);
        code |= curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
        // Waiting for a leave to send pays only for a large body. An empty header would be signed too.
        if (request->size <= 1 << 20 && job->signature != NULL) {
            code |= curl_easy_setopt(handle, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
        } else if (request->size <= 1 << 20) {
            struct curl_slist *longer = curl_slist_append(request->headers, "Expect:");
            if (longer == NULL) {
                destroy(request);
                return CCURL_UNUSABLE;
            }
            request->headers = longer;
        }
    } else if (strcmp(job->method, "HEAD") == 0) {
        code |= curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    }
    code |= curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, job->method);
    code |= curl_easy_setopt(handle, CURLOPT_HTTPHEADER, request->headers);
    code |= curl_easy_setopt(handle, CURLOPT_USERAGENT, engine->name);
    code |= curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    code |= curl_easy_setopt(handle, CURLOPT_HTTP09_ALLOWED, 0L);
    code |= curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    code |= curl_easy_setopt(handle, CURLOPT_WRITEDATA, request);
    code |= curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    code |= curl_easy_setopt(handle, CURLOPT_HEADERDATA, request);
    code |= curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, request->message);
    code |= curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    code |= curl_easy_setopt(handle, CURLOPT_TIMEOUT, job->seconds);
    code |= curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, job->stall_seconds);
    code |= curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 10L);
    code |= curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, job->stall_seconds);
    code |= curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    // The variables of the environment must not send a token elsewhere.
    code |= curl_easy_setopt(handle, CURLOPT_PROXY, job->proxy != NULL ? job->proxy : "");
    code |= curl_easy_setopt(handle, CURLOPT_NOPROXY, "");
    code |= curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    code |= curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, job->plain_http ? "http,https" : "https");
    code |= curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    code |= curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, request);
    // Ending a request must not wait for the resolver.
    code |= curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    // If a kept connection breaks before the answer, libcurl sends the request again by itself. Only what changes nothing may come twice.
    int is_safe = strcmp(job->method, "GET") == 0 || strcmp(job->method, "HEAD") == 0 || strcmp(job->method, "OPTIONS") == 0;
    // And a connection that was allowed for another reason must not be used.
    if (!job->any_address || !is_safe || job->is_fresh) code |= curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    if (!job->any_address) code |= curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    if (job->signature != NULL) {
        code |= curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, job->signature);
        code |= curl_easy_setopt(handle, CURLOPT_USERPWD, job->signature_secret);
    }
    if (job->ca_file != NULL) {
        code |= curl_easy_setopt(handle, CURLOPT_CAINFO, job->ca_file);
        code |= curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
    }
    if (code != 0 || curl_multi_add_handle(engine->multi, handle) != CURLM_OK) {
        destroy(request);
        return CCURL_UNUSABLE;
    }
    request->next = engine->first;
    engine->first = request;
    return 0;
}

void ccurl_engine_cancel(struct ccurl_engine *engine, int64_t id) {
    struct request *request = detach(engine, NULL, id);
    if (request != NULL) destroy(request);
}

static void fail(struct ccurl_ended *ended, enum ccurl_end end, const char *why) {
    ended->end = end;
    snprintf(ended->failure, sizeof ended->failure, "%s", why);
}

static void fail_to_connect(struct ccurl_ended *ended, CURL *handle, const char *why) {
    long number = 0;
    curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
    // The system knows no route to the address. A machine that is off in a known network gives EHOSTUNREACH.
    int is_unrouted = number == ENETUNREACH || number == ENETDOWN;
    fail(ended, is_unrouted ? CCURL_UNROUTED : CCURL_UNREACHABLE, number != 0 ? strerror((int)number) : why);
}

static void conclude(struct request *request, CURLcode code, struct ccurl_ended *ended) {
    memset(ended, 0, sizeof *ended);
    CURL *handle = request->handle;
    ended->id = request->id;
    curl_off_t sent = 0, after = 0;
    // Before that, at most a proxy has got something.
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &sent);
    ended->may_have_arrived = sent > 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &ended->status);
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &after);
    ended->retry_after = after <= 0 ? 0 : after < 1000000 ? (long)after : 1000000;
    const char *why = request->message[0] != 0 ? request->message : curl_easy_strerror(code);
    if (request->is_refused && code == CURLE_COULDNT_CONNECT) return fail(ended, CCURL_REFUSED_ADDRESS, "");
    if (request->is_too_large) return fail(ended, request->has_long_headers ? CCURL_LONG_HEADERS : CCURL_TOO_LARGE, "");
    if (request->write_error != 0) return fail(ended, CCURL_UNWRITABLE, strerror(request->write_error));
    if (request->is_shortened) return fail(ended, CCURL_UNUSABLE, "the file of the body has become shorter");
    // libcurl takes the end of the connection for the end of the headers.
    if (code == CURLE_OK && (!request->has_headers || ended->status < 200))
        return fail(ended, CCURL_BROKEN, "the connection ends in the headers of the answer");
    // Whoever answers before the body has come has not taken it.
    if (code == CURLE_OK && ended->status < 300 && request->position < request->size)
        return fail(ended, CCURL_BROKEN, "it answers before it has the whole body");
    switch (code) {
    case CURLE_OK: break;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST: return fail(ended, CCURL_UNROUTED, why);
    case CURLE_COULDNT_CONNECT: return fail_to_connect(ended, handle, why);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM: return fail(ended, CCURL_UNTRUSTED, why);
    // So libcurl 7 says that one header is too long.
    case CURLE_OUT_OF_MEMORY: return fail(ended, CCURL_LONG_HEADERS, "");
    case CURLE_OPERATION_TIMEDOUT: return fail(ended, CCURL_TOO_SLOW, why);
    case CURLE_URL_MALFORMAT:
    case CURLE_ABORTED_BY_CALLBACK: return fail(ended, CCURL_UNUSABLE, why);
    default: return fail(ended, CCURL_BROKEN, why);
    }
    ended->end = CCURL_ANSWERED;
    ended->headers = request->answer_headers.start;
    ended->headers_length = request->answer_headers.length;
    ended->body = request->answer.start;
    ended->body_length = request->answer.length;
    request->answer_headers.start = request->answer.start = NULL;
    request->answer_headers.length = request->answer.length = 0;
    request->answer_headers.room = request->answer.room = 0;
}

static int take_ended(struct ccurl_engine *engine, struct ccurl_ended *ended) {
    int queued = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(engine->multi, &queued)) != NULL) {
        struct request *request = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
        conclude(request, code, ended);
        destroy(detach(engine, request, 0));
        return 1;
    }
    return 0;
}

int ccurl_engine_next(struct ccurl_engine *engine, int milliseconds, struct ccurl_ended *ended) {
    int running = 0;
    if (curl_multi_perform(engine->multi, &running) != CURLM_OK) return -1;
    if (take_ended(engine, ended)) return 1;
    if (curl_multi_poll(engine->multi, NULL, 0, milliseconds, NULL) != CURLM_OK) return -1;
    if (curl_multi_perform(engine->multi, &running) != CURLM_OK) return -1;
    return take_ended(engine, ended);
}

void ccurl_engine_wake(struct ccurl_engine *engine) { curl_multi_wakeup(engine->multi); }

void ccurl_ended_free(struct ccurl_ended *ended) {
    struct bytes headers = {ended->headers, ended->headers_length, 0, 0}, body = {ended->body, ended->body_length, 0, 0};
    clear(&headers);
    clear(&body);
    ended->headers = ended->body = NULL;
}
