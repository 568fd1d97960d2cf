package import ShareModel

/// JSON and words in the catalog's text columns.
package enum CatalogJSON {
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    /// The receipt in the text of a column.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the text is no receipt.
    package static func receipt(_ text: String) throws -> Receipt {
        do {
            return try Receipt(json: Array(text.utf8), values: .max)
        } catch {
            throw damaged("receipt")
        }
    }

    /// The value in the text of a column.
    ///
    /// - Parameter column: the column, for the error.
    /// - Throws: ``ContainerError`` with the code `catalog` if the text is not JSON.
    package static func value(_ text: String, _ column: String) throws -> JSONValue {
        do {
            return try JSONValue(json: Array(text.utf8), values: .max)
        } catch {
            throw damaged(column)
        }
    }

    private static func damaged(_ column: String) -> ContainerError {
        .unreadable("its column '\(column)' holds damaged JSON")
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
