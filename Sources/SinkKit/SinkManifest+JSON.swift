internal import ShareModel

extension SinkManifest {
    /// The manifest of a value that satisfies the schema of manifests; `nil` if a key is missing, or has a value that this type
    /// does not know.
    ///
    /// Every share reads every manifest, and a decoder takes longer than the reading of the text.
    package init?(checked value: JSONValue) {
        let members = Members(of: value)
        do throws(Misfit) {
            self.init(
                id: try members.required("id", \.text), version: try members.required("version", \.text),
                protocol: try members.required("protocol", \.whole), command: try members.required("command", \.texts),
                accepts: try members.required("accepts") { $0.list(Acceptance.init) },
                role: try members.required("role") { $0.text.flatMap(Role.init) },
                content: try members.optional("content") { $0.text.flatMap(ContentNeed.init) },
                limits: try members.optional("limits", Limits.init),
                needs: try members.optional("needs", Needs.init), config: try members.optional("config") { $0 },
                secrets: try members.optional("secrets", \.texts),
                idempotent: try members.optional("idempotent", \.flag))
        } catch {
            return nil
        }
    }
}

extension SinkManifest.Acceptance {
    fileprivate init?(checked value: JSONValue) {
        guard let type = value["type"]?.text else { return nil }
        self.init(type: type, priority: value["priority"]?.whole)
    }
}

extension SinkManifest.Needs {
    /// Reads an object. What its schema does not allow counts as absent.
    public init(from decoder: any Decoder) throws { self.init(checked: try JSONValue(from: decoder)) }

    fileprivate init(checked value: JSONValue) {
        self.init(
            network: value["network"]?.flag, requests: value["requests"].flatMap(Requests.init(checked:)),
            settings: value["settings"]?.flag)
    }
}

/// `true`, `false` or `"optional"`.
extension SinkManifest.Needs.Requests: Encodable {
    fileprivate init?(checked value: JSONValue) {
        if value.flag == true {
            self = .required
        } else if value.text == "optional" {
            self = .optional
        } else {
            return nil
        }
    }

    /// Writes `true` or `"optional"`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .required: try container.encode(true)
        case .optional: try container.encode("optional")
        }
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

/// A key that is missing, or has a value of another kind.
private struct Misfit: Error {}

/// The members of an object.
private struct Members {
    private let object: JSONValue

    init(of object: JSONValue) { self.object = object }

    func required<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(Misfit) -> Value {
        guard let value = try optional(key, read) else { throw Misfit() }
        return value
    }

    func optional<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(Misfit) -> Value? {
        guard let value = object[key] else { return nil }
        guard let read = read(value) else { throw Misfit() }
        return read
    }
}

extension JSONValue {
    fileprivate var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    fileprivate var texts: [String]? { list(\.text) }

    /// The elements of an array; `nil` if one of them cannot be read.
    fileprivate func list<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        guard let elements else { return nil }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }
}
