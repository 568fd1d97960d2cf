import FoundationEssentials
import Ingestion
import ShareModel
import SystemPackage

extension Identify {
    /// What a file is, or why that cannot be said.
    struct Answer: Encodable {
        let path: FilePath?
        let identification: Identification?
        let error: String?

        init(path: FilePath?, _ answer: FileSniffer.Answer?) {
            self.path = path
            switch answer {
            case .success(let identification)?: (self.identification, error) = (identification, nil)
            case .failure(let failure)?: (identification, error) = (nil, failure.message)
            case nil: (identification, error) = (nil, "no answer")
            }
        }

        enum CodingKeys: String, CodingKey {
            case path, type, confidence, basis, evidence, claims, warnings, error
            case pathBase64 = "path_base64"
        }

        /// `type` and `confidence` are null and `error` is there where nothing can be said; the other keys always are.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let path {
                try container.encode(path.string, forKey: .path)
                if !path.isUTF8 { try container.encode(Data(path.bytes).base64EncodedString(), forKey: .pathBase64) }
            } else {
                try container.encodeNil(forKey: .path)
            }
            try container.encode(identification?.type, forKey: .type)
            try container.encode(identification?.confidence, forKey: .confidence)
            try container.encode(identification?.basis ?? [], forKey: .basis)
            try container.encode(identification?.evidence ?? [], forKey: .evidence)
            try container.encode(identification?.claims ?? TypeClaims(), forKey: .claims)
            try container.encode(identification?.warnings ?? [], forKey: .warnings)
            try container.encodeIfPresent(error, forKey: .error)
        }

        /// `photo.png: image/jpeg  (signature: JPEG at byte 0)`, and the warnings below.
        var lines: [StyledLine] {
            guard let identification else { return [] }
            let isUnknown = identification.confidence == .unknown
            let evidence = isUnknown ? nil : identification.evidence.first?.description
            let basis = evidence ?? "unknown; nothing in the bytes says what they are"
            let head: StyledLine = "\(name, .strong): \(identification.type.description)  \("(\(basis))", .dim)"
            return [head] + identification.warnings.map { "    \("!", .warning) \($0)" }
        }

        /// The same, with the claims and every piece of evidence below, strongest first.
        var tree: [StyledLine] {
            guard let identification else { return [] }
            let claims = identification.claims
            let claimed = [claims.declared.map { ("declared", $0) }, claims.name.map { ("named", $0) }].compactMap {
                $0
            }
            return ["\(name, .strong): \(identification.type.description), \(identification.confidence.rawValue)"]
                + claimed.map { "    \("claim", .dim)     \($0.0) \(name: $0.1)" }
                + identification.basis.map { "    \("evidence", .dim)  \($0)" }
                + identification.warnings.map { "    \("!", .warning)         \($0)" }
        }

        private var name: String { path.map { SafeText.escape(bytes: $0.bytes) } ?? "?" }

        /// `photo.png: no such file; check the name`, for standard error.
        var failure: StyledLine { "\(name, .strong): \(problem, .bad)" }

        /// What is wrong, without repeating the path at its start.
        private var problem: String {
            guard let error, let path, error.hasPrefix(path.string + " ") else { return error ?? "" }
            return "it" + error.dropFirst(path.string.count)
        }
    }
}

extension FilePath {
    var isUTF8: Bool { UTF8Runs(bytes: bytes).runs.allSatisfy { if case .text = $0 { true } else { false } } }
}
