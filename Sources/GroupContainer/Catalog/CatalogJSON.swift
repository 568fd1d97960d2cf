internal import ShareModel

/// JSON and words in the catalog's text columns.
package enum CatalogJSON {
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    /// - Parameter column: the column that has the text, for the error.
    /// - Throws: ``ContainerError`` with the code `catalog` if the text is not JSON of this type.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ text: String, _ column: String) throws -> Value {
        do {
            return try JSONLines.decode(type, from: text.utf8)
        } catch is DecodingError {
            throw ContainerError.unreadable("its column '\(column)' holds damaged JSON")
        }
    }

    /// A word of a closed list, such as an outcome.
    ///
    /// - Throws: ``ContainerError`` for a word that is not in the list: a newer program may have written it.
    static func word<Word: RawRepresentable<String>>(_ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            throw ContainerError.unreadable(
                "a newer program may have written the word '\(text)', which this one does not know; update it")
        }
        return word
    }
}
