internal import Formats
internal import ShareModel

/// Recognizes property lists (Apple's CFBinaryPList.c and PropertyList-1.0.dtd) by the keys of their top dictionary.
/// Link files have `URL`, saved pages have `WebMainResource`, and keyed archives have `$archiver`.
struct PropertyListInspector: Inspector {
    let starts: Set<MediaType> = [
        .unknown, .plainText, "application/xml", "application/x-bplist", "application/x-plist",
    ]
    let concludes: Set<MediaType> = [
        "application/x-webloc", "application/x-webarchive", "application/x-plist", "application/x-bplist",
    ]

    /// The largest number of keys in a link file. It has the address and perhaps a few notes; a larger dictionary has
    /// another purpose.
    private static let linkKeyLimit = 8

    func inspect(_ sample: Sample) throws -> Finding? {
        guard PropertyList.looksLikeOne(sample.start), let outline = try PropertyListOutline(sample.content) else {
            return nil
        }
        let keys = outline.topKeys ?? []
        if keys.contains("WebMainResource") {
            return Finding("application/x-webarchive", Evidence("property list", "key WebMainResource at the top"))
        }
        let isShort = keys.count <= Self.linkKeyLimit
        if isShort, keys.contains("URL"), try hasAddress(sample, isAlone: keys.count == 1) {
            return Finding("application/x-webloc", Evidence("property list", "key URL at the top"))
        }
        return Self.plain(outline)
    }

    /// The finding for a list of no known kind. If its keys cannot be read, it is truncated or damaged.
    private static func plain(_ outline: PropertyListOutline) -> Finding {
        let keys = outline.topKeys ?? []
        let isArchive = keys.contains("$archiver") && keys.contains("$objects")
        let what = isArchive ? "; a keyed archive" : ""
        switch outline.form {
        case .binary:
            let confidence: Confidence = outline.topKeys == nil ? .likely : .certain
            return Finding("application/x-bplist", Evidence("property list", "binary, version 00\(what)"), confidence)
        case .xml:
            return Finding("application/x-plist", Evidence("property list", "root element plist\(what)"))
        }
    }

    /// Whether the value of `URL` looks like an address. An empty value is accepted in a template, which has no other
    /// key. Link files are small, so a larger file is rejected.
    private func hasAddress(_ sample: Sample, isAlone: Bool) throws -> Bool {
        let head = try sample.head()
        guard sample.content.size <= Int64(head.count),
            case .string(let address)? = try? PropertyList.parse(head)["URL"]
        else { return false }
        return URLScheme.begins(address) || (isAlone && address.isEmpty)
    }
}
