// Deliberately empty: Swift sees none of GLib. The headers are included by CVips alone.
