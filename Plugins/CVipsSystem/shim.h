// Empty on purpose: Swift must not import GLib. Only CVips includes the headers.
