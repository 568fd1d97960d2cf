import ArgumentParser

/// The beginning of an identifier, as people write it.
enum PackageID {
    /// The digits in lower case, as the container has them.
    static func parse(_ word: String) throws -> String {
        let digits = word.lowercased()
        guard !digits.isEmpty, digits.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
            throw ValidationError("An id is hexadecimal digits, as 'sluice list' shows them.")
        }
        return digits
    }
}

/// Identifiers as people see them: long enough to name one, short enough to type.
enum ShortID {
    static func of(_ id: String) -> String { String(id.prefix(12)) }
}
