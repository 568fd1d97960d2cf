/// The tags of a media file, of all formats: ID3, Vorbis comments, Matroska, QuickTime, RIFF.
struct MediaTags {
    private var values: [String: String] = [:]

    /// Tags of the whole file, then those of a track, which fill gaps.
    init(_ tags: [String: String]?, _ others: [String: String]? = nil) {
        for tags in [tags ?? [:], others ?? [:]] {
            // The order makes the choice between `TITLE` and `title` the same each time.
            for (key, value) in tags.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
                let key = key.lowercased()
                if values[key] == nil { values[key] = value }
            }
        }
    }

    /// The first value that is not empty. A tag may have a language at its end, such as `title-eng`.
    func first(_ keys: [String]) -> String? { all(keys).first }

    /// The different values of the tags, in the order of `keys`.
    func all(_ keys: [String]) -> [String] {
        var found: [String] = []
        for key in keys {
            let value = values[key] ?? values.filter { Self.isLanguage($0.key, of: key) }.min { $0.key < $1.key }?.value
            if let value, !found.contains(value) { found.append(value) }
        }
        return found
    }

    private static func isLanguage(_ tag: String, of key: String) -> Bool {
        tag.count == key.count + 4 && tag.hasPrefix(key + "-")
    }
}
