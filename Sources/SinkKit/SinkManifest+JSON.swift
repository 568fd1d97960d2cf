internal import ShareModel

extension SinkManifest {
    /// The manifest of a value that satisfies the schema of manifests; `nil` if a key is missing, or has a value that this type
    /// does not know.
    ///
    /// Every share reads every manifest, and a decoder takes longer than the reading of the text.
    package init?(checked value: JSONValue) {
        do throws(JSONMisfit) {
            let members = try JSONMembers(of: value)
            self.init(
                id: try members.required("id") { $0.text }, version: try members.required("version") { $0.text },
                protocol: try members.required("protocol") { $0.int },
                command: try members.required("command") { $0.texts },
                accepts: try members.required(list: "accepts", Acceptance.init),
                role: try members.required("role") { $0.word() },
                content: try members.optional("content") { $0.word() },
                limits: try members.optional("limits", Limits.init),
                needs: try members.optional("needs", Needs.init), config: try members.optional("config") { $0 },
                secrets: try members.optional("secrets") { $0.texts },
                idempotent: try members.optional("idempotent") { $0.flag })
        } catch {
            return nil
        }
    }
}

extension SinkManifest.Acceptance {
    fileprivate init?(checked value: JSONValue) {
        guard let type = value["type"]?.text else { return nil }
        self.init(type: type, priority: value["priority"]?.int)
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
        func number(_ key: CodingKeys) -> Int? { value[key.rawValue]?.int }
        self.init(
            startupSeconds: number(.startupSeconds), stallSeconds: number(.stallSeconds),
            totalSeconds: number(.totalSeconds), memoryMiB: number(.memoryMiB),
            processorSeconds: number(.processorSeconds), fileMiB: number(.fileMiB), processes: number(.processes))
    }
}
