extension String {
    /// The text as the catalog keeps it: with `␀` for each NUL.
    ///
    /// Functions of SQL end at a NUL, and so do other programs that read the catalog. The rest of the text would be lost for
    /// them, and two identifiers with the same beginning would be one.
    var storable: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
    }
}
