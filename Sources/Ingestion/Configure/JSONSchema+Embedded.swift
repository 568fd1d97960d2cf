internal import ShareModel

extension JSONSchema {
    /// Of a manifest, `sink.json`.
    static let manifest = embedded(PackageResources.sink_schema_json)
    /// Of a person's settings for a sink.
    static let settings = embedded(PackageResources.settings_schema_json)

    /// A schema that was built into the program. The tests hold that it can be read; one that could not would refuse all.
    private static func embedded(_ bytes: [UInt8]) -> JSONSchema {
        (try? JSONSchema(JSONLines.decode(JSONValue.self, from: bytes))) ?? JSONSchema(rules: [.never])
    }
}
