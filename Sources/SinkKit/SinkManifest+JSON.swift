internal import ShareModel

extension SinkManifest {
    /// The manifest of a value that satisfies the schema of manifests; `nil` for another one.
    ///
    /// Every share reads every manifest, and a decoder takes longer for one than for all values of its text.
    package init?(checked value: JSONValue) {
        guard let id = value["id"]?.text, let version = value["version"]?.text,
            let speaks = value["protocol"]?.whole, let role = value["role"]?.text.flatMap(Role.init)
        else { return nil }
        self.init(
            id: id, version: version, protocol: speaks, command: value["command"]?.texts ?? [],
            accepts: value["accepts"]?.elements.compactMap(Acceptance.init) ?? [], role: role,
            content: value["content"]?.text.flatMap(ContentNeed.init), limits: value["limits"].map(Limits.init),
            needs: value["needs"].map { Needs(network: $0["network"]?.flag) }, config: value["config"],
            secrets: value["secrets"]?.texts)
    }
}

extension SinkManifest.Acceptance {
    fileprivate init?(checked value: JSONValue) {
        guard let type = value["type"]?.text else { return nil }
        self.init(type: type, priority: value["priority"]?.whole)
    }
}

extension SinkManifest.Limits {
    /// The limits of a value that satisfies their schema.
    package init(checked value: JSONValue) {
        func number(_ key: CodingKeys) -> Int? { value[key.rawValue]?.whole }
        self.init(
            startupSeconds: number(.startupSeconds), stallSeconds: number(.stallSeconds),
            totalSeconds: number(.totalSeconds), memoryMiB: number(.memoryMiB),
            processorSeconds: number(.processorSeconds), fileMiB: number(.fileMiB), processes: number(.processes))
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    fileprivate var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    fileprivate var texts: [String] { elements.compactMap(\.text) }
}
