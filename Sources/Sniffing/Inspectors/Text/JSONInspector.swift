internal import Formats
internal import ShareModel

/// Recognizes JSON by its grammar (RFC 8259), within the window, and its subject by the first keys. The subjects are
/// GeoJSON (RFC 7946), JSON-LD 1.1 (section 3.1), Jupyter notebooks (nbformat 4), glTF 2.0 (section 3.2), JSON lines
/// (jsonlines.org) and JSON Feed 1.1.
struct JSONInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = [
        .json, "application/x-ndjson", "application/geo+json", "application/ld+json", "application/x-ipynb+json",
        "model/gltf+json", "application/feed+json",
    ]

    /// The part that is checked, in bytes. Text that follows the grammar so far very likely does so to its end.
    private static let window = 16 << 10

    /// The types of RFC 7946, section 1.4, each with its required key.
    private static let geography: [(type: StaticString, key: StaticString)] = [
        ("\"FeatureCollection\"", "features"), ("\"Feature\"", "geometry"),
        ("\"GeometryCollection\"", "geometries"), ("\"Point\"", "coordinates"), ("\"MultiPoint\"", "coordinates"),
        ("\"LineString\"", "coordinates"), ("\"MultiLineString\"", "coordinates"), ("\"Polygon\"", "coordinates"),
        ("\"MultiPolygon\"", "coordinates"),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text(), text.firstWord < text.bytes.count else { return nil }
        let first = text.bytes[text.firstWord]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        guard let outline = JSONOutline(text.bytes, upTo: Self.window, isWhole: text.isWhole) else { return nil }
        if outline.documents > 1 {
            return Finding("application/x-ndjson", Evidence("JSON", "an object on each line"))
        }
        let keys = Keys(outline: outline, bytes: text.bytes, isWhole: text.isWhole)
        let what = outline.isObject ? Self.subject(of: keys) : nil
        return Finding(
            what?.type ?? .json,
            Evidence("JSON", what?.says ?? "an \(outline.isObject ? "object" : "array")", at: Int64(text.firstWord)))
    }

    private static func subject(of keys: Keys) -> (type: MediaType, says: String)? {
        if keys.has("nbformat"), keys.has("cells") || keys.has("worksheets") || keys.isCut {
            return ("application/x-ipynb+json", "key nbformat at the top")
        }
        if keys.has("@context") { return ("application/ld+json", "key @context at the top") }
        if keys.value(of: "asset")?.first == UInt8(ascii: "{"), hasVersionOfGLTF(keys) {
            return ("model/gltf+json", "key asset at the top")
        }
        if keys.value(of: "version")?.begins(with: "\"https://jsonfeed.org/version/") == true {
            return ("application/feed+json", "key version says JSON Feed")
        }
        guard let type = keys.value(of: "type") else { return nil }
        let isGeography = geography.contains { type.begins(with: $0.type) && (keys.has($0.key) || keys.isCut) }
        return isGeography ? ("application/geo+json", "key type at the top") : nil
    }

    private static func hasVersionOfGLTF(_ keys: Keys) -> Bool {
        let parts: [StaticString] = ["scenes", "nodes", "meshes", "buffers", "bufferViews", "accessors", "materials"]
        return parts.contains { keys.has($0) }
    }

    /// The members of the top object, by their keys as written.
    private struct Keys {
        let outline: JSONOutline
        let bytes: [UInt8]
        let isWhole: Bool

        /// Whether there may be keys beyond the known ones.
        var isCut: Bool { !isWhole || outline.members.count == JSONOutline.memberLimit }

        func has(_ key: StaticString) -> Bool { value(of: key) != nil }

        /// The bytes from the value of the key.
        func value(of key: StaticString) -> ArraySlice<UInt8>? {
            let member = outline.members.first { member in
                member.key.count == key.utf8CodeUnitCount && bytes[member.key].begins(with: key)
            }
            return member.map { bytes[min($0.value, bytes.count)...] }
        }
    }
}
