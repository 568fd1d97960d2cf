#define _GNU_SOURCE
#include "CDesktop.h"

#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Its name is an attribute of each entry, so a search finds no entry of another program.
static const SecretSchema schema = {
    .name = "org.sluice.Login",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {
        {"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"container", SECRET_SCHEMA_ATTRIBUTE_STRING},
        {"login", SECRET_SCHEMA_ATTRIBUTE_STRING},
    },
};

static int fail(int result, char *reason, GError *error, const char *words) {
    snprintf(reason, CDESKTOP_REASON, "%s", error != NULL ? error->message : words);
    g_clear_error(&error);
    return result;
}

// The longest time for a connection to the bus, in milliseconds.
#define CONNECTION_LIMIT 5000

// Cancels a call that takes too long.
struct limit {
    GCancellable *call;
    GMutex mutex;
    GCond ended;
    int is_over;
    gint64 end;
    GThread *thread;
};

static gpointer watch(gpointer context) {
    struct limit *limit = context;
    g_mutex_lock(&limit->mutex);
    while (!limit->is_over && g_cond_wait_until(&limit->ended, &limit->mutex, limit->end)) {}
    int is_late = !limit->is_over;
    g_mutex_unlock(&limit->mutex);
    if (is_late) g_cancellable_cancel(limit->call);
    return NULL;
}

static void begin(struct limit *limit, int milliseconds) {
    memset(limit, 0, sizeof *limit);
    limit->call = g_cancellable_new();
    g_mutex_init(&limit->mutex);
    g_cond_init(&limit->ended);
    limit->end = g_get_monotonic_time() + (gint64)milliseconds * 1000;
    limit->thread = g_thread_new("limit", watch, limit);
}

static void end(struct limit *limit) {
    g_mutex_lock(&limit->mutex);
    limit->is_over = 1;
    g_cond_signal(&limit->ended);
    g_mutex_unlock(&limit->mutex);
    g_thread_join(limit->thread);
    g_mutex_clear(&limit->mutex);
    g_cond_clear(&limit->ended);
    g_object_unref(limit->call);
}

// GDBus would start a bus of its own if the desktop has a display and no bus.
static int has_bus(void) {
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address != NULL && address[0] != 0) return 1;
    const char *folder = getenv("XDG_RUNTIME_DIR");
    char path[4096];
    if (folder == NULL || snprintf(path, sizeof path, "%s/bus", folder) >= (int)sizeof path) return 0;
    return access(path, F_OK) == 0;
}

static GDBusConnection *connect_bus(char *reason) {
    if (!has_bus()) {
        fail(0, reason, NULL, "there is no session bus");
        return NULL;
    }
    GError *error = NULL;
    struct limit limit;
    begin(&limit, CONNECTION_LIMIT);
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, limit.call, &error);
    end(&limit);
    if (bus == NULL) {
        fail(0, reason, error, "the session bus does not answer");
        return NULL;
    }
    // A bus that is lost would end the process.
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

int cdesktop_state(int milliseconds, char reason[CDESKTOP_REASON]) {
    GDBusConnection *bus = connect_bus(reason);
    if (bus == NULL) return CDESKTOP_ABSENT;
    GError *error = NULL;
    GVariant *answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "ReadAlias",
        g_variant_new("(s)", "default"), G_VARIANT_TYPE("(o)"), G_DBUS_CALL_FLAGS_NONE, milliseconds, NULL, &error);
    if (answer == NULL) {
        int isAbsent = g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
            || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
            || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND);
        g_object_unref(bus);
        return fail(isAbsent ? CDESKTOP_ABSENT : CDESKTOP_FAILED, reason, error, "no answer");
    }
    char *path = NULL;
    g_variant_get(answer, "(o)", &path);
    g_variant_unref(answer);
    int result = CDESKTOP_OK;
    if (strcmp(path, "/") == 0) {
        result = fail(CDESKTOP_EMPTY, reason, NULL, "the keychain has no default collection");
    } else {
        answer = g_dbus_connection_call_sync(
            bus, "org.freedesktop.secrets", path, "org.freedesktop.DBus.Properties", "Get",
            g_variant_new("(ss)", "org.freedesktop.Secret.Collection", "Locked"), G_VARIANT_TYPE("(v)"),
            G_DBUS_CALL_FLAGS_NONE, milliseconds, NULL, &error);
        if (answer == NULL) {
            result = fail(CDESKTOP_FAILED, reason, error, "no answer");
        } else {
            GVariant *value = NULL;
            g_variant_get(answer, "(v)", &value);
            if (g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN) && g_variant_get_boolean(value))
                result = fail(CDESKTOP_LOCKED, reason, NULL, "the keychain is locked");
            g_variant_unref(value);
            g_variant_unref(answer);
        }
    }
    g_free(path);
    g_object_unref(bus);
    return result;
}

static GHashTable *table(const struct cdesktop_attribute *attributes, size_t count) {
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 0; i < count; i++)
        g_hash_table_insert(table, (gpointer)attributes[i].name, (gpointer)attributes[i].value);
    return table;
}

int cdesktop_store(
    const struct cdesktop_attribute *attributes, size_t count, const char *label, const char *secret, int milliseconds,
    char reason[CDESKTOP_REASON]) {
    int state = cdesktop_state(milliseconds, reason);
    if (state != CDESKTOP_OK) return state;
    struct limit limit;
    begin(&limit, milliseconds);
    GError *error = NULL;
    GHashTable *wanted = table(attributes, count);
    gboolean stored = secret_password_storev_sync(
        &schema, wanted, SECRET_COLLECTION_DEFAULT, label, secret, limit.call, &error);
    g_hash_table_unref(wanted);
    end(&limit);
    return stored ? CDESKTOP_OK : fail(CDESKTOP_FAILED, reason, error, "the keychain did not store the login");
}

int cdesktop_search(
    const struct cdesktop_attribute *attributes, size_t count, int milliseconds, void *context,
    void (*found)(void *context, const struct cdesktop_attribute *attributes, size_t count, const char *secret),
    char reason[CDESKTOP_REASON]) {
    char ignored[CDESKTOP_REASON];
    int state = cdesktop_state(milliseconds, ignored);
    if (state == CDESKTOP_ABSENT || state == CDESKTOP_FAILED) return fail(state, reason, NULL, ignored);
    struct limit limit;
    begin(&limit, milliseconds);
    GError *error = NULL;
    GHashTable *wanted = table(attributes, count);
    // Without the flag that unlocks, nothing prompts. A locked entry comes without its secret.
    GList *items = secret_service_search_sync(
        NULL, &schema, wanted, SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS, limit.call, &error);
    g_hash_table_unref(wanted);
    end(&limit);
    if (error != NULL) return fail(CDESKTOP_FAILED, reason, error, "");
    for (GList *each = items; each != NULL; each = each->next) {
        SecretItem *item = each->data;
        GHashTable *own = secret_item_get_attributes(item);
        struct cdesktop_attribute list[16];
        size_t length = 0;
        GHashTableIter iterator;
        gpointer name, value;
        g_hash_table_iter_init(&iterator, own);
        while (length < 16 && g_hash_table_iter_next(&iterator, &name, &value))
            list[length++] = (struct cdesktop_attribute){name, value};
        SecretValue *secret = secret_item_get_locked(item) ? NULL : secret_item_get_secret(item);
        found(context, list, length, secret != NULL ? secret_value_get_text(secret) : NULL);
        if (secret != NULL) secret_value_unref(secret);
        g_hash_table_unref(own);
    }
    g_list_free_full(items, g_object_unref);
    return CDESKTOP_OK;
}

int cdesktop_remove(
    const struct cdesktop_attribute *attributes, size_t count, int milliseconds, char reason[CDESKTOP_REASON]) {
    int state = cdesktop_state(milliseconds, reason);
    if (state != CDESKTOP_OK) return state;
    struct limit limit;
    begin(&limit, milliseconds);
    GError *error = NULL;
    GHashTable *wanted = table(attributes, count);
    secret_password_clearv_sync(&schema, wanted, limit.call, &error);
    g_hash_table_unref(wanted);
    end(&limit);
    return error == NULL ? CDESKTOP_OK : fail(CDESKTOP_FAILED, reason, error, "");
}

// MARK: Notifications (Desktop Notifications Specification 1.2)

struct notification {
    GMainLoop *loop;
    guint32 id;
    int is_pressed;
};

static void signaled(
    GDBusConnection *bus, const gchar *sender, const gchar *path, const gchar *interface, const gchar *name,
    GVariant *parameters, gpointer context) {
    struct notification *own = context;
    (void)bus, (void)sender, (void)path, (void)interface;
    int is_pressed = strcmp(name, "ActionInvoked") == 0 && g_variant_is_of_type(parameters, G_VARIANT_TYPE("(us)"));
    int is_closed = strcmp(name, "NotificationClosed") == 0 && g_variant_is_of_type(parameters, G_VARIANT_TYPE("(uu)"));
    // Others come too, such as a token for the activation of a window.
    if (!is_pressed && !is_closed) return;
    guint32 id = 0;
    g_variant_get_child(parameters, 0, "u", &id);
    if (own->id == 0 || id != own->id) return;
    own->is_pressed = is_pressed;
    g_main_loop_quit(own->loop);
}

static gboolean expire(gpointer context) {
    g_main_loop_quit(((struct notification *)context)->loop);
    return G_SOURCE_REMOVE;
}

int cdesktop_notify(
    const char *title, const char *text, const char *button, int seconds, char reason[CDESKTOP_REASON]) {
    GDBusConnection *bus = connect_bus(reason);
    if (bus == NULL) return CDESKTOP_ABSENT;
    struct notification own = {g_main_loop_new(NULL, FALSE), 0, 0};
    // Before the notification, whose button may be pressed at once.
    guint subscription = g_dbus_connection_signal_subscribe(
        bus, NULL, "org.freedesktop.Notifications", NULL, "/org/freedesktop/Notifications", NULL,
        G_DBUS_SIGNAL_FLAGS_NONE, signaled, &own, NULL);
    GVariantBuilder actions, hints;
    g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
    g_variant_builder_add(&actions, "s", "default");
    g_variant_builder_add(&actions, "s", button);
    g_variant_builder_add(&actions, "s", "login");
    g_variant_builder_add(&actions, "s", button);
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    GError *error = NULL;
    GVariant *answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify",
        g_variant_new("(susssasa{sv}i)", "Sluice", 0, "dialog-password", title, text, &actions, &hints, -1),
        G_VARIANT_TYPE("(u)"), G_DBUS_CALL_FLAGS_NONE, 5000, NULL, &error);
    int result = CDESKTOP_FAILED;
    if (answer == NULL) {
        result = fail(CDESKTOP_ABSENT, reason, error, "no answer");
    } else {
        g_variant_get(answer, "(u)", &own.id);
        g_variant_unref(answer);
        g_timeout_add_seconds((guint)seconds, expire, &own);
        g_main_loop_run(own.loop);
        if (own.is_pressed) result = CDESKTOP_OK;
    }
    g_dbus_connection_signal_unsubscribe(bus, subscription);
    g_main_loop_unref(own.loop);
    g_object_unref(bus);
    return result;
}
