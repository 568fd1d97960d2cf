internal import ShareModel

/// A word that a person gives packages, to find them again: `taxes`, `to-read`, `Garten_2024`.
///
/// Tags that differ only in case are equal. The first spelling stays.
public struct PackageTag: Sendable, Hashable {
    /// The largest number of bytes.
    public static let byteLimit = 64
    /// The largest number of tags of one package.
    public static let packageLimit = 100

    /// The tag as it was written, in normal form C.
    public let word: String
    /// The tag without its case.
    private let folded: String

    /// Makes a tag of letters, digits, `-` and `_`, the first of them a letter or a digit. `nil` for any other text, and
    /// for one that has more than ``byteLimit`` bytes in normal form C.
    public init?(_ text: String) {
        let word = text.composed
        guard word.utf8.count <= Self.byteLimit, let first = word.unicodeScalars.first, Self.mayBegin(first),
            word.unicodeScalars.allSatisfy(Self.mayFollow)
        else { return nil }
        self.word = word
        folded = word.lowercased()
    }

    private static func mayBegin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isOfWord && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func mayFollow(_ scalar: Unicode.Scalar) -> Bool {
        if mayBegin(scalar) || scalar == "-" || scalar == "_" { return true }
        // Vowels and accents. A mark that is not drawn would make two tags that look the same.
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        return [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }

    /// Whether the letters are the same, without their case.
    public static func == (left: PackageTag, right: PackageTag) -> Bool { left.folded == right.folded }

    /// Hashes the letters without their case.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension PackageTag: Comparable {
    /// The order of the letters, without their case.
    public static func < (left: PackageTag, right: PackageTag) -> Bool { left.folded < right.folded }
}
