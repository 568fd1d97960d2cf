extension String {
    /// The text as the catalog keeps it: with `␀` for each NUL.
    ///
    /// SQLite's calls for text, and those of GRDB, end at a NUL. The rest of the text would be lost, and two identifiers
    /// with the same beginning would be one.
    var storable: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
    }
}
