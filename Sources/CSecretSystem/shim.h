// Empty on purpose: Swift must not import GLib. Only CDesktop includes the headers.
