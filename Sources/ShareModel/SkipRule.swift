package import SystemPackage

/// The rule for the names that a walk of a folder leaves out.
package enum SkipRule {
    /// The endings that browsers and copy programs give to files they are still writing.
    package static let unfinishedExtensions: Set<String> = [
        "part", "partial", "crdownload", "download", "opdownload", "filepart",
    ]

    /// The reason why the walk leaves the name out, in words for people; `nil` if the walk takes it.
    package static func reason(for name: FilePath.Component) -> String? {
        if name.string.utf8.first == UInt8(ascii: ".") { return "hidden; name it to take it in" }
        // Half of a file would come in as content of its own.
        if let ending = name.extension?.lowercased(), unfinishedExtensions.contains(ending) {
            return "still being written (.\(ending)); run again when it is done"
        }
        return nil
    }
}
