internal import ShareModel

/// JSON and words in the catalog's text columns.
enum CatalogJSON {
    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONLines.decode(type, from: text.utf8)
    }

    /// A word of a closed list, such as an outcome.
    ///
    /// - Throws: ``ContainerError`` for a word that is not in the list: a newer program may have written it.
    static func word<Word: RawRepresentable<String>>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            throw ContainerError(.catalog, "the catalog holds the unknown word '\(text)'; update this program")
        }
        return word
    }
}
