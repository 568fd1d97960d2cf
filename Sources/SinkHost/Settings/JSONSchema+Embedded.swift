internal import ShareModel

extension JSONSchema {
    /// The schema of a manifest, `sink.json`.
    package static let manifest = embedded(PackageResources.sink_schema_json, "sink.schema.json")
    /// The schema of a sink's settings.
    package static let settings = embedded(PackageResources.settings_schema_json, "settings.schema.json")

    /// A schema that is built into the program. A test reads each one, so an error here is a bug of the program.
    private static func embedded(_ bytes: [UInt8], _ name: String) -> JSONSchema {
        do {
            return try JSONSchema(JSONValue(json: bytes))
        } catch {
            preconditionFailure("the built-in \(name) is not a schema: \(error)")
        }
    }
}
