internal import Formats

/// Property lists by the keys of their top dictionary: link files have `URL`, saved pages have `WebMainResource`.
struct PropertyListInspector: Inspector {
    let starts: Set<String> = [
        "application/octet-stream", "text/plain", "application/xml", "application/x-bplist", "application/x-plist",
    ]
    let concludes: Set<String> = [
        "application/x-webloc", "application/x-webarchive", "application/x-plist", "application/x-bplist",
    ]

    /// A link file has its address and perhaps a few notes; a dictionary of more keys is about something else.
    private static let linkKeyLimit = 8

    func inspect(_ sample: Sample) throws -> Finding? {
        guard PropertyList.looksLikeOne(sample.head), let outline = try PropertyListOutline(sample.content) else {
            return nil
        }
        let keys = outline.topKeys ?? []
        if keys.contains("WebMainResource") {
            return Finding(
                type: "application/x-webarchive", basis: "property list: key WebMainResource at the top")
        }
        let isShort = keys.count <= Self.linkKeyLimit
        if isShort, let place = keys.firstIndex(of: "URL"), hasAddress(sample, isAlone: keys.count == 1) {
            return Finding(type: "application/x-webloc", basis: "property list: key URL at \(place)")
        }
        switch outline.form {
        case .binary: return Finding(type: "application/x-bplist", basis: "property list: binary, version 00")
        case .xml: return Finding(type: "application/x-plist", basis: "property list: root element plist")
        }
    }

    /// Whether the value of `URL` looks like one; an empty one is a template of a link file where nothing else is in
    /// it. Link files are small; larger ones are none.
    private func hasAddress(_ sample: Sample, isAlone: Bool) -> Bool {
        guard sample.content.size <= Int64(sample.head.count),
            case .string(let address)? = try? PropertyList.parse(sample.head)["URL"]
        else { return false }
        return URLScheme.begins(address) || (isAlone && address.isEmpty)
    }
}
