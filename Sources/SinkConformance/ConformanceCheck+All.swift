internal import ShareModel
internal import SinkHost

extension ConformanceCheck {
    /// Every check except those of the samples. A check comes after the checks that it depends on.
    static let all: [ConformanceCheck] =
        [.manifest] + greeting + answers + products + lines + hostile + repeats + requests + endings

    /// Checks the rules beyond the manifest's schema, which reading the manifest has checked.
    static let manifest = ConformanceCheck(
        name: ManifestCheck.name, rule: ManifestCheck.rule, remedy: "correct sink.json", isFoundation: true
    ) { context in
        let manifest = context.sink.manifest
        if manifest.version.isEmpty { throw CheckFailure("its version is empty") }
        if manifest.accepts.isEmpty { throw CheckFailure("it accepts nothing, so it never gets a delivery") }
        for acceptance in manifest.accepts where !AcceptedType.isValid(acceptance.type) {
            throw CheckFailure("'\(acceptance.type)' is neither a MIME type nor a pattern such as image/* or */*")
        }
        let limits = manifest.limits
        let numbers = [
            limits?.startupSeconds, limits?.stallSeconds, limits?.totalSeconds, limits?.memoryMiB,
            limits?.processorSeconds, limits?.fileMiB, limits?.processes,
        ]
        if let number = numbers.compactMap(\.self).first(where: { $0 <= 0 }) {
            throw CheckFailure("one of its limits is \(number); each must be above 0")
        }
    }
}

/// The check that also reports a manifest that cannot be read.
enum ManifestCheck {
    static let name = "manifest/valid"
    static let rule = "sink.json is a JSON object with id, version, protocol, command, accepts and role"
}

/// The syntax of a type in `accepts` of a manifest.
enum AcceptedType {
    static func isValid(_ pattern: String) -> Bool {
        if pattern == "*/*" { return true }
        let type = pattern.hasSuffix("/*") ? pattern.dropLast(1) + "x" : Substring(pattern)
        return MediaType(type) != nil
    }
}
