internal import FoundationEssentials
internal import ShareModel
internal import SystemPackage

/// Turns a description's JSON into a package. Each error names its place in the file.
struct ShareParser {
    let file: String
    let limits: ReadingLimits
    private var warnings: [String] = []
    private var attachmentCount = 0
    private var representationCount = 0

    /// The longest list of ignored keys. A longer one helps no reader.
    private static let warningLimit = 50

    init(file: String, limits: ReadingLimits) {
        self.file = file
        self.limits = limits
    }

    mutating func package(_ json: JSONValue, source: PackageSource) throws(ReadingError) -> SharePackage {
        let root = try object(json, at: "the description")
        guard let version = root["version"] else {
            throw malformed("version", "is missing; write \"version\": \(ShareDescription.version)")
        }
        guard version == .integer(ShareDescription.version) else {
            throw malformed(
                "version",
                "is not \(ShareDescription.version), the one that this program reads; update the program or the sender")
        }
        ignore(root, besides: ["version", "id", "items"], at: "")
        let id = try string(root, "id", at: "")
        if let id, id.isEmpty || id.utf8.count > limits.identifierBytes {
            throw malformed("id", "must be 1 to \(limits.identifierBytes) bytes long; leave it out or shorten it")
        }
        let items = try array(root, "items", at: "", limit: limits.items)
        var result: [ExtensionItem] = []
        for (index, item) in items.enumerated() { result.append(try self.item(item, at: "items[\(index)]")) }
        return SharePackage(id: id, source: source, items: result, warnings: warnings)
    }

    private mutating func item(_ json: JSONValue, at place: String) throws(ReadingError) -> ExtensionItem {
        let item = try object(json, at: place)
        ignore(item, besides: ["title", "text", "attachments"], at: place)
        var attachments: [ItemProvider] = []
        if item["attachments"] != nil {
            let list = try array(item, "attachments", at: place, limit: limits.attachments)
            attachmentCount += list.count
            guard attachmentCount <= limits.attachments else {
                throw ReadingError(
                    .limit,
                    "\(file): \(place).attachments makes more than \(limits.attachments) in one package; split it")
            }
            for (index, attachment) in list.enumerated() {
                attachments.append(try provider(attachment, at: "\(place).attachments[\(index)]"))
            }
        }
        return ExtensionItem(
            title: try string(item, "title", at: place), text: try string(item, "text", at: place),
            attachments: attachments)
    }

    private mutating func provider(_ json: JSONValue, at place: String) throws(ReadingError) -> ItemProvider {
        let provider = try object(json, at: place)
        ignore(provider, besides: ["name", "role", "group", "representations"], at: place)
        let roleName = try string(provider, "role", at: place)
        guard let role = roleName.map(ItemProvider.Role.init(rawValue:)) ?? .content else {
            let known = ItemProvider.Role.allCases.map { "\"\($0.rawValue)\"" }
            let last = known.last.map { " or \($0)" } ?? ""
            throw malformed("\(place).role", "is not \(known.dropLast().joined(separator: ", "))\(last)")
        }
        let list = try array(provider, "representations", at: place, limit: limits.representations)
        representationCount += list.count
        guard representationCount <= limits.packageRepresentations else {
            throw ReadingError(
                .limit,
                "\(file): \(place).representations makes more than \(limits.packageRepresentations) in one package; "
                    + "split it")
        }
        var representations: [Representation] = []
        for (index, item) in list.enumerated() {
            representations.append(try representation(item, at: "\(place).representations[\(index)]"))
        }
        return ItemProvider(
            suggestedName: try string(provider, "name", at: place), role: role,
            group: try string(provider, "group", at: place), representations: representations)
    }

    private mutating func representation(_ json: JSONValue, at place: String) throws(ReadingError) -> Representation {
        let representation = try object(json, at: place)
        let contents = ["file", "file_base64", "data", "text", "link"]
        ignore(representation, besides: ["type"] + contents, at: place)
        let given = contents.filter { representation[$0] != nil }
        guard let key = given.first, given.count == 1 else {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            throw malformed(place, "must have exactly one of \(contents.joined(separator: ", ")); it has \(found)")
        }
        let text = try string(representation, key, at: place) ?? ""
        return Representation(
            declaredType: try string(representation, "type", at: place),
            content: try content(text, key: key, at: "\(place).\(key)"))
    }

    private func content(_ text: String, key: String, at place: String) throws(ReadingError) -> Representation.Content {
        switch key {
        case "data": return .data(try base64(text, at: place))
        case "text": return .text(text)
        case "link": return .link(text)
        case "file_base64": return .file(.path(try path(try base64(text, at: place), at: place)))
        default:
            if FileURL.begins(text) { return .file(.url(text)) }
            return .file(.path(try path(Array(text.utf8), at: place)))
        }
    }

    private func base64(_ text: String, at place: String) throws(ReadingError) -> [UInt8] {
        guard let data = Data(base64Encoded: text) else {
            throw malformed(place, "is not base64 (RFC 4648, with padding, without line breaks)")
        }
        return [UInt8](data)
    }

    private func path(_ bytes: [UInt8], at place: String) throws(ReadingError) -> FilePath {
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw malformed(place, "is no path: it is empty or contains a NUL")
        }
        return FilePath(bytes: bytes)
    }
}

// The steps that every level takes.
extension ShareParser {
    private func object(_ json: JSONValue, at place: String) throws(ReadingError) -> [String: JSONValue] {
        guard case .object(let object) = json else { throw malformed(place, "is \(json.kind), not an object") }
        return object
    }

    private func array(_ object: [String: JSONValue], _ key: String, at place: String, limit: Int)
        throws(ReadingError) -> [JSONValue]
    {
        let place = place.isEmpty ? key : "\(place).\(key)"
        guard let json = object[key] else { throw malformed(place, "is missing; add it, if need be as []") }
        guard case .array(let array) = json else { throw malformed(place, "is \(json.kind), not an array") }
        guard array.count <= limit else {
            throw ReadingError(.limit, "\(file): \(place) has \(array.count) entries; \(limit) are allowed")
        }
        return array
    }

    private func string(_ object: [String: JSONValue], _ key: String, at place: String) throws(ReadingError)
        -> String?
    {
        guard let json = object[key] else { return nil }
        guard case .string(let string) = json else {
            throw malformed(place.isEmpty ? key : "\(place).\(key)", "is \(json.kind), not a string")
        }
        return string
    }

    private mutating func ignore(_ object: [String: JSONValue], besides known: [String], at place: String) {
        for key in object.keys.sorted() where !known.contains(key) && warnings.count < Self.warningLimit {
            warnings.append("ignored the unknown key \(place.isEmpty ? key : "\(place).\(key)")")
        }
    }

    private func malformed(_ place: String, _ words: String) -> ReadingError {
        ReadingError(.malformed, "\(file): \(place) \(words)")
    }
}
