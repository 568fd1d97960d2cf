internal import Formats
internal import ShareModel

/// Property lists by the keys of their top dictionary: link files have `URL`, saved pages have `WebMainResource`.
struct PropertyListInspector: Inspector {
    let starts: Set<MediaType> = [
        .unknown, .plainText, "application/xml", "application/x-bplist", "application/x-plist",
    ]
    let concludes: Set<MediaType> = [
        "application/x-webloc", "application/x-webarchive", "application/x-plist", "application/x-bplist",
    ]

    /// A link file has its address and perhaps a few notes; a dictionary of more keys is about something else.
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
        switch outline.form {
        case .binary: return Finding("application/x-bplist", Evidence("property list", "binary, version 00"))
        case .xml: return Finding("application/x-plist", Evidence("property list", "root element plist"))
        }
    }

    /// Whether the value of `URL` looks like one; an empty one is a template of a link file where nothing else is in
    /// it. Link files are small; larger ones are none.
    private func hasAddress(_ sample: Sample, isAlone: Bool) throws -> Bool {
        let head = try sample.head()
        guard sample.content.size <= Int64(head.count),
            case .string(let address)? = try? PropertyList.parse(head)["URL"]
        else { return false }
        return URLScheme.begins(address) || (isAlone && address.isEmpty)
    }
}
