internal import ShareModel

extension JSONSchema {
    /// Of a manifest, `sink.json`.
    package static let manifest = embedded(PackageResources.sink_schema_json, "sink.schema.json")
    /// Of a person's settings for a sink.
    package static let settings = embedded(PackageResources.settings_schema_json, "settings.schema.json")

    /// A schema that was built into the program. No input can make it unreadable: a test reads each.
    private static func embedded(_ bytes: [UInt8], _ name: String) -> JSONSchema {
        do {
            return try JSONSchema(JSONLines.decode(JSONValue.self, from: bytes))
        } catch {
            preconditionFailure("the built-in \(name) is not a schema: \(error)")
        }
    }
}
