internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// The configuration of a tested sink: that of `configure.json`, checked and with the defaults filled in, as in
/// deliveries.
enum ConformanceConfiguration {
    /// - Throws: ``SinkHostError`` if the sink's schema refuses the configuration, or if the manifest lacks one of its
    ///   secrets.
    static func make(_ given: HostMessage.Configuration, for sink: InstalledSink) throws -> HostMessage.Configuration {
        let names = sink.manifest.secrets ?? []
        if let unknown = given.secrets?.keys.sorted().first(where: { !names.contains($0) }) {
            throw SinkHostError(
                .usage, "the samples' configure.json has the secret '\(unknown)', which sink.json does not name")
        }
        // As in deliveries: a shorter one occurs in ordinary words.
        if let short = (given.secrets ?? [:]).first(where: { $0.value.count < Redactor.shortestSecret })?.key {
            throw SinkHostError(
                .usage,
                "the samples' configure.json has a secret '\(short)' of fewer than \(Redactor.shortestSecret) characters"
            )
        }
        // The suite must work without the user's secrets, so a made-up value replaces each one that `configure.json`
        // lacks.
        var secrets = Dictionary(names.map { ($0, "made up for tests") }) { first, _ in first }
        secrets.merge(given.secrets ?? [:]) { _, own in own }
        return .init(config: try config(given.config, sink.schema), secrets: secrets.isEmpty ? nil : secrets)
    }

    private static func config(_ given: JSONValue, _ schema: JSONSchema?) throws -> JSONValue {
        guard let schema else {
            guard given == [:] else {
                throw SinkHostError(
                    .usage, "the samples' configure.json has a configuration, and sink.json has no schema for one")
            }
            return given
        }
        let filled = schema.filled(given)
        guard let wrong = schema.violations(of: filled, at: JSONPointer().appending("config")).first else {
            return filled
        }
        throw SinkHostError(
            .usage, "in the samples' configure.json \(wrong); write the configuration for the test there")
    }
}
