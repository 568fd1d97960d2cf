import Files
import FoundationEssentials
import Ingestion
import ShareModel
import SystemPackage

extension Identify {
    /// A file's identification, or the reason why there is none.
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

        /// All keys but `error` and `path_base64` are always there. If the file could not be identified, `type` and
        /// `confidence` are null and `error` gives the reason.
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
            let basis = evidence ?? "unknown; the bytes match no known type"
            let head: StyledLine = "\(name, .strong): \(identification.type.description)  \("(\(basis))", .dim)"
            return [head] + identification.warnings.map { "    \("!", .warning) \($0)" }
        }

        /// The type, and below it the claims, every piece of evidence with the strongest first, and the warnings.
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

        /// `photo.png: no such file; check the name`, for standard error. Without a path, the error names the request.
        var failure: StyledLine {
            path == nil ? "\(problem, .bad)" : "\(name, .strong): \(problem, .bad)" + wayIn
        }

        /// For a folder, the command that identifies its files.
        private var wayIn: StyledLine {
            guard let path, case .folder? = try? Directory.kind(named: path) else { return "" }
            // An option of find begins with a minus sign.
            let isOption = path.bytes.first == UInt8(ascii: "-")
            let folder = ShellQuote.quote(isOption ? FilePath(bytes: Array("./".utf8) + path.bytes) : path)
            return ": \(command: "find \(folder) -type f -print0 | sluice identify --files-from - -0")"
        }

        /// The error without the path at its start, which the line already begins with.
        private var problem: String {
            guard let error, let path, error.hasPrefix(path.string + " ") else { return error ?? "" }
            return "it" + error.dropFirst(path.string.count)
        }
    }
}

extension FilePath {
    var isUTF8: Bool { UTF8Runs(bytes: bytes).runs.allSatisfy { if case .text = $0 { true } else { false } } }
}
