package import ShareModel

/// JSON and words in the catalog's text columns.
package enum CatalogJSON {
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    package static func encode(_ value: JSONValue) throws -> String {
        String(decoding: try JSONLines.encode(value), as: UTF8.self)
    }

    /// The receipt in the text of a column.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the text is no receipt.
    package static func receipt(_ text: String) throws -> Receipt { try receipt(text, Receipt.init) }

    /// A part of the receipt in the text of a column.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the text does not have it.
    package static func receipt<Part>(
        _ text: String, _ read: (JSONMembers) throws(JSONMisfit) -> Part
    ) throws -> Part {
        let value = try value(text, "receipt")
        do throws(JSONMisfit) {
            return try read(JSONMembers(of: value))
        } catch {
            throw ContainerError.unreadable("its column 'receipt' holds no receipt that this program knows: \(error)")
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
            throw ContainerError.unreadable("its column '\(column)' holds damaged JSON: \(error)")
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
