internal import ShareModel
internal import SinkHost

extension ConformanceCheck {
    /// Every check but those of the samples, in the order in which they rest on one another.
    static let all: [ConformanceCheck] =
        [.manifest] + greeting + answers + products + lines + hostile + repeats + requests + endings

    /// What a manifest must be was found out when it was read.
    static let manifest = ConformanceCheck(
        name: ManifestCheck.name, rule: ManifestCheck.rule, remedy: "mend sink.json", isFoundation: true
    ) { context in
        let manifest = context.sink.manifest
        if manifest.version.isEmpty { throw CheckFailure("its version is empty") }
        if manifest.accepts.isEmpty { throw CheckFailure("it accepts nothing, so that it never gets anything") }
        for acceptance in manifest.accepts where !AcceptedType.isValid(acceptance.type) {
            throw CheckFailure("'\(acceptance.type)' is neither a MIME type nor a pattern such as image/* or */*")
        }
        let limits = manifest.limits
        let numbers = [
            limits?.startupSeconds, limits?.stallSeconds, limits?.totalSeconds, limits?.memoryMiB,
            limits?.processorSeconds, limits?.fileMiB, limits?.processes,
        ]
        if let number = numbers.compactMap(\.self).first(where: { $0 <= 0 }) {
            throw CheckFailure("one of its limits is \(number); all are above 0")
        }
    }
}

/// The one check that comes before there is a sink.
enum ManifestCheck {
    static let name = "manifest/valid"
    static let rule = "sink.json is a JSON object with id, version, protocol, command, accepts and role"
}

/// The patterns of a manifest's `accepts`.
enum AcceptedType {
    static func isValid(_ pattern: String) -> Bool {
        if pattern == "*/*" { return true }
        let type = pattern.hasSuffix("/*") ? pattern.dropLast(1) + "x" : Substring(pattern)
        return MediaType(type) != nil
    }
}
