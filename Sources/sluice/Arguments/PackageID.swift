import ArgumentParser

/// The beginning of an identifier, as a user types it.
enum PackageID {
    /// The digits in lower case, as the container stores them.
    static func parse(_ word: String) throws -> String {
        let digits = word.lowercased()
        guard !digits.isEmpty, digits.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
            throw ValidationError(
                "An id has only hexadecimal digits. 'sluice list' shows ids, 'sluice search' finds them by a name.")
        }
        return digits
    }
}

/// Identifiers for display: long enough to be unique, short enough to type.
enum ShortID {
    static func of(_ id: String) -> String { String(id.prefix(12)) }
}
