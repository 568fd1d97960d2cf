import ShareModel
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Identify {
    /// What a file is, or why that cannot be said.
    struct Answer: Encodable {
        var path: FilePath?
        var identification: Identification?
        var error: String?

        enum CodingKeys: String, CodingKey {
            case path, type, confidence, basis, evidence, claims, warnings, error
            case pathBase64 = "path_base64"
        }

        /// `type` is null and `error` is there where nothing can be said.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let path {
                try container.encode(path.string, forKey: .path)
                if !path.isUTF8 { try container.encode(Data(path.bytes).base64EncodedString(), forKey: .pathBase64) }
            } else {
                try container.encodeNil(forKey: .path)
            }
            try container.encode(identification?.type, forKey: .type)
            try container.encodeIfPresent(identification?.confidence, forKey: .confidence)
            try container.encode(identification?.basis ?? [], forKey: .basis)
            try container.encodeIfPresent(identification?.evidence, forKey: .evidence)
            try container.encodeIfPresent(identification?.claims, forKey: .claims)
            try container.encode(identification?.warnings ?? [], forKey: .warnings)
            try container.encodeIfPresent(error, forKey: .error)
        }

        /// `photo.png: image/jpeg (libmagic: image/jpeg)`, and the warnings below.
        var lines: [Line] {
            let name = path.map { SafeText.escape(bytes: $0.bytes) } ?? "?"
            guard let identification else { return ["\(name, .strong): \(problem, .bad)"] }
            let basis = identification.basis.joined(separator: "; ")
            let head: Line = "\(name, .strong): \(identification.type.description)"
            return [basis.isEmpty ? head : "\(head)  \("(\(basis))", .dim)"]
                + identification.warnings.map { "    \("!", .warning) \($0)" }
        }

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
