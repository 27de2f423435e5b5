/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_fetch.h"

/* Its checks are macros around the functions, which are called by pointers here. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* What is used of libcurl, and found in it by name. */
#define CURL_MAP(X)                                                                                \
    X(curl_easy_init)                                                                              \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_strerror)                                                                          \
    X(curl_easy_cleanup)                                                                           \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)                                                                         \
    X(curl_multi_init)                                                                             \
    X(curl_multi_setopt)                                                                           \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_socket_action)                                                                    \
    X(curl_multi_info_read)                                                                        \
    X(curl_multi_cleanup)

struct library {

#define X(name) __typeof__(&(name)) name;
    CURL_MAP(X)
#undef X
};

struct transfer {
    struct js_fetch *fetch;
    struct transfer *next;
    int64_t id;
    struct js_origin origin;
    CURL *easy;
    struct curl_slist *headers;
    JSValue callback;
    struct buf upload;
    struct buf head; /* status line and headers of the last answer */
    struct buf body;
    char error[CURL_ERROR_SIZE];
};

struct js_fetch {
    struct js *js;
    struct library curl;
    CURLM *multi;
    struct transfer *transfers;
    int64_t last_id;
};

static void transfer_free(struct transfer *t)
{
    struct js_fetch *f = t->fetch;
    struct transfer **at = &f->transfers;
    while (*at != NULL && *at != t) {
        at = &(*at)->next;
    }
    if (*at == t) {
        *at = t->next;
    }
    (void)f->curl.curl_multi_remove_handle(f->multi, t->easy); /* may not have been added */
    f->curl.curl_easy_cleanup(t->easy);
    f->curl.curl_slist_free_all(t->headers);
    buf_done(&t->upload);
    buf_done(&t->head);
    buf_done(&t->body);
    JS_FreeValue(f->js->user.ctx, t->callback);
    free(t);
}

/* callback(error or undefined, status, url, redirects, head, body) */
static void tell(struct transfer *t, CURLcode result)
{
    JSContext *ctx = t->fetch->js->user.ctx;
    const struct library *curl = &t->fetch->curl;
    long status = 0;
    long redirects = 0;
    char *url = NULL;
    (void)curl->curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status); /* known for any */
    (void)curl->curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_COUNT, &redirects);
    (void)curl->curl_easy_getinfo(t->easy, CURLINFO_EFFECTIVE_URL, &url);
    const char *text = t->error[0] != '\0' ? t->error : curl->curl_easy_strerror(result);
    JSValue argv[] = {
        result == CURLE_OK ? JS_UNDEFINED : JS_NewString(ctx, text),
        JS_NewInt64(ctx, result == CURLE_OK ? status : (int64_t)result),
        JS_NewString(ctx, url == NULL ? "" : url),
        JS_NewInt64(ctx, redirects),
        JS_NewStringLen(ctx, buf_text(&t->head), t->head.len),
        js_value_bytes(ctx, &t->body),
    };
    JSValue callback = JS_DupValue(ctx, t->callback);
    t->fetch->js->origin = t->origin;
    transfer_free(t);
    JS_FreeValue(ctx,
                 JS_Call(ctx, callback, JS_UNDEFINED, (int)ARRAY_LEN(argv), (JSValueConst *)argv));
    js_value_clear(ctx); /* the prelude's callback settles a promise and throws nothing */
    JS_FreeValue(ctx, callback);
    for (size_t i = 0; i < ARRAY_LEN(argv); i++) {
        JS_FreeValue(ctx, argv[i]);
    }
}

static void tell_finished(struct js_fetch *f)
{
    int left = 0;
    for (CURLMsg *m = f->curl.curl_multi_info_read(f->multi, &left); m != NULL;
         m = f->curl.curl_multi_info_read(f->multi, &left)) {
        struct transfer *t = f->transfers;
        while (t != NULL && t->easy != m->easy_handle) {
            t = t->next;
        }
        if (t != NULL && m->msg == CURLMSG_DONE) {
            tell(t, m->data.result);
        }
    }
}

static void on_ready(struct js *js, void *opaque, int fd, short ready)
{
    struct js_fetch *f = opaque;
    int running = 0;
    int mask = (ready & POLLIN ? CURL_CSELECT_IN : 0) | (ready & POLLOUT ? CURL_CSELECT_OUT : 0) |
               (ready & (POLLERR | POLLHUP) ? CURL_CSELECT_ERR : 0);
    (void)js;
    (void)f->curl.curl_multi_socket_action(f->multi, fd < 0 ? CURL_SOCKET_TIMEOUT : fd, mask,
                                           &running); /* what fails is told per transfer */
    tell_finished(f);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *opaque, void *socket_opaque)
{
    static const short events[] = {[CURL_POLL_NONE] = 0,
                                   [CURL_POLL_IN] = POLLIN,
                                   [CURL_POLL_OUT] = POLLOUT,
                                   [CURL_POLL_INOUT] = POLLIN | POLLOUT,
                                   [CURL_POLL_REMOVE] = 0};
    struct js_fetch *f = opaque;
    (void)easy;
    (void)socket_opaque;
    js_watch_set(f->js, fd, events[what], on_ready, f);
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *opaque)
{
    struct js_fetch *f = opaque;
    (void)multi;
    f->js->watches.due_us = timeout_ms < 0 ? 0 : clock_us() + timeout_ms * 1000;
    return 0;
}

static size_t on_body(char *data, size_t size, size_t count, void *opaque)
{
    struct transfer *t = opaque;
    return buf_add(&t->body, data, size * count) < 0 ? 0 : size * count;
}

/* Each redirect brings headers of its own; the last ones count. */
static size_t on_header(char *data, size_t size, size_t count, void *opaque)
{
    struct transfer *t = opaque;
    if (size * count > 5 && memcmp(data, "HTTP/", 5) == 0) {
        buf_clear(&t->head);
    }
    return buf_add(&t->head, data, size * count) < 0 ? 0 : size * count;
}

static int find_functions(void *handle, struct library *curl, const char **missing)
{
    static const struct {
        const char *name;
        size_t offset;
    } table[] = {

#define X(name) {#name, offsetof(struct library, name)},
        CURL_MAP(X)
#undef X
    };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        void *found = dlsym(handle, table[i].name);
        if (found == NULL) {
            *missing = table[i].name;
            return -1;
        }
        memcpy((char *)curl + table[i].offset, &found, sizeof found);
    }
    return 0;
}

/* The context's libcurl, loaded by its first request; NULL with an exception when there is none. */
static struct js_fetch *load(JSContext *ctx)
{
    struct js *js = js_of(ctx);
    const char *missing = "";
    if (js->fetch != NULL) {
        return js->fetch;
    }
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    struct js_fetch *f = xcalloc(1, sizeof *f);
    if (handle == NULL || find_functions(handle, &f->curl, &missing) < 0) {
        free(f);
        JS_ThrowTypeError(ctx, "fetch needs the library libcurl.so.4 (Debian: libcurl4)%s%s",
                          *missing ? " with " : "", missing);
        return NULL;
    }
    f->js = js;
    f->multi = f->curl.curl_multi_init();
    (void)f->curl.curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION,
                                    on_socket); /* known options */
    (void)f->curl.curl_multi_setopt(f->multi, CURLMOPT_SOCKETDATA, f);
    (void)f->curl.curl_multi_setopt(f->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    (void)f->curl.curl_multi_setopt(f->multi, CURLMOPT_TIMERDATA, f);
    js->watches.on_due = on_ready;
    js->watches.due_opaque = f;
    js->fetch = f;
    return f;
}

static void set_headers(JSContext *ctx, struct transfer *t, JSValueConst list)
{
    int64_t count = 0;
    (void)JS_GetLength(ctx, list, &count); /* the prelude gives an array of strings */
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        _cleanup_(drop_js_ref) struct js_ref line = JS_REF(ctx, JS_GetPropertyUint32(ctx, list, i));
        const char *text = JS_ToCString(ctx, line.v);
        if (text != NULL) {
            t->headers = t->fetch->curl.curl_slist_append(t->headers, text);
        }
        JS_FreeCString(ctx, text);
    }
}

static void set_body(struct transfer *t, const uint8_t *bytes, size_t size)
{
    const struct library *curl = &t->fetch->curl;
    (void)buf_add(&t->upload, bytes, size); /* as large as what the heap holds already */
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, buf_text(&t->upload));
}

/* POST is curl's own, so that it becomes GET where a redirect says so; the rest goes by name. */
static void set_method(struct transfer *t, const char *method)
{
    const struct library *curl = &t->fetch->curl;
    if (strcmp(method, "HEAD") == 0) {
        (void)curl->curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
    } else if (strcmp(method, "POST") == 0) {
        (void)curl->curl_easy_setopt(t->easy, CURLOPT_POST, 1L);
    } else if (strcmp(method, "GET") != 0) {
        (void)curl->curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, method);
    }
}

static void set_options(struct transfer *t, const char *url, int32_t redirects)
{
    const struct library *curl = &t->fetch->curl;
    /* All of these are known to every libcurl since 7.85; the transfer tells what else is wrong. */
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_URL, url);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_FOLLOWLOCATION, redirects > 0 ? 1L : 0L);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_MAXREDIRS, (long)redirects);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, "");
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)FETCH_CONNECT_MS);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_ERRORBUFFER, t->error);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
    (void)curl->curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
}

static struct transfer *transfer_new(JSContext *ctx, struct js_fetch *f, JSValueConst callback)
{
    struct transfer *t = xcalloc(1, sizeof *t);
    *t = (struct transfer){.fetch = f,
                           .next = f->transfers,
                           .id = ++f->last_id,
                           .origin = f->js->origin,
                           .easy = f->curl.curl_easy_init(),
                           .callback = JS_DupValue(ctx, callback),
                           .upload = BUF_INIT(JS_FILE_MAX),
                           .head = BUF_INIT(FETCH_HEAD_MAX),
                           .body = BUF_INIT(JS_FILE_MAX)};
    f->transfers = t;
    return t;
}

/* request(url, method, headers, body or undefined, redirects, callback) -> id */
static JSValue http_request(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t redirects = 0;
    size_t size = 0;
    (void)this_val;
    (void)argc;
    struct js_fetch *f = load(ctx);
    bool has_body = !JS_IsUndefined(argv[3]);
    const uint8_t *bytes = f != NULL && has_body ? JS_GetUint8Array(ctx, &size, argv[3]) : NULL;
    if (f == NULL || JS_HasException(ctx) || JS_ToInt32(ctx, &redirects, argv[4]) < 0) {
        return JS_EXCEPTION;
    }
    const char *url = JS_ToCString(ctx, argv[0]);
    const char *method = url == NULL ? NULL : JS_ToCString(ctx, argv[1]);
    if (method == NULL) {
        JS_FreeCString(ctx, url);
        return JS_EXCEPTION;
    }
    struct transfer *t = transfer_new(ctx, f, argv[5]);
    set_headers(ctx, t, argv[2]);
    set_options(t, url, redirects);
    set_method(t, method);
    if (has_body || strcmp(method, "POST") == 0) {
        set_body(t, bytes, size);
    }
    (void)f->curl.curl_multi_add_handle(f->multi, t->easy); /* a new handle is taken */
    JS_FreeCString(ctx, url);
    JS_FreeCString(ctx, method);
    return JS_NewInt64(ctx, t->id);
}

/* abort(id): the callback is not called any more */
static JSValue http_abort(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int64_t id = 0;
    struct js_fetch *f = js_of(ctx)->fetch;
    (void)this_val;
    (void)argc;
    if (JS_ToInt64(ctx, &id, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    for (struct transfer *t = f == NULL ? NULL : f->transfers; t != NULL; t = t->next) {
        if (t->id == id) {
            transfer_free(t);
            break;
        }
    }
    return JS_UNDEFINED;
}

void js_fetch_clear(struct js *js)
{
    struct js_fetch *f = js->fetch;
    if (f == NULL) {
        return;
    }
    while (f->transfers != NULL) {
        transfer_free(f->transfers);
    }
    (void)f->curl.curl_multi_cleanup(f->multi); /* nothing is left in it */
    free(f);
    js->fetch = NULL;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("request", 6, http_request),
    JS_CFUNC_DEF("abort", 1, http_abort),
};

int js_fetch_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("http", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
