import ArgumentParser
import GroupContainer

/// A tag as a user types it.
enum TagArgument {
    static func parse(_ word: String) throws -> PackageTag {
        // A byte that is not UTF-8 stands as a private character, which is no letter.
        guard let tag = PackageTag(word) else {
            throw ValidationError(
                "'\(SafeText.escape(name: word))' is no tag. A tag has letters, digits, '-' and '_', begins with a letter or digit, and has at "
                    + "most \(PackageTag.byteLimit) bytes.")
        }
        return tag
    }

    /// - Throws: a usage error for more tags than a package can have.
    static func check(_ tags: [PackageTag]) throws {
        guard tags.count <= PackageTag.packageLimit else {
            throw ValidationError("A package has at most \(PackageTag.packageLimit) tags.")
        }
    }
}
