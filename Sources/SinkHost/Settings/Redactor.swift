package import ShareModel

/// Keeps secrets out of what a sink says: each is replaced by `***`, as it is and as it would be written in JSON; of one
/// with several lines each longer line too.
package struct Redactor: Sendable {
    private static let stars = Array("***".utf8)
    /// Shorter lines of a secret, and shorter ends of one that was cut, are words like others.
    private static let shortestPart = 8

    /// The longest first, so that none leaves the rest of one that it begins.
    private let hidden: [[UInt8]]

    /// - Parameter secrets: their values.
    package init(_ secrets: some Sequence<String>) {
        var hidden = Set<[UInt8]>()
        for secret in secrets where !secret.isEmpty {
            hidden.insert(Array(secret.utf8))
            if let quoted = try? JSONLines.encode(secret) {
                let quoted = Array(quoted.dropFirst().dropLast())
                hidden.insert(quoted)
                hidden.insert(Self.ascii(quoted))
            }
            for line in secret.utf8.split(separator: UInt8(ascii: "\n")) where line.count >= Self.shortestPart {
                hidden.insert(Array(line))
            }
        }
        self.hidden = hidden.sorted { $0.count > $1.count }
    }

    /// The same JSON as those write it who keep to ASCII, with small digits.
    private static func ascii(_ json: [UInt8]) -> [UInt8] {
        String(decoding: json, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 0x80 { return [UInt8(unit)] }
            let digits = String(unit, radix: 16)
            return Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        }
    }

    /// Whether there is nothing to hide.
    package var isEmpty: Bool { hidden.isEmpty }

    /// The text without the secrets.
    ///
    /// - Parameter isTail: whether its beginning was cut off, where the end of a secret may be left.
    package func redacted(_ text: String, isTail: Bool = false) -> String {
        guard !hidden.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        var clean: [UInt8] = []
        if isTail, let end = hidden.compactMap({ endOfSecret($0, beginning: bytes) }).max() {
            clean += Self.stars
            rest = rest.dropFirst(end)
        }
        while let first = rest.first {
            if let secret = hidden.first(where: { $0.first == first && rest.starts(with: $0) }) {
                clean += Self.stars
                rest = rest.dropFirst(secret.count)
            } else {
                clean.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: clean, as: UTF8.self)
    }

    /// How many bytes at the beginning are the end of a secret.
    private func endOfSecret(_ secret: [UInt8], beginning bytes: [UInt8]) -> Int? {
        guard secret.count > Self.shortestPart else { return nil }
        return (Self.shortestPart..<secret.count).reversed().first { bytes.starts(with: secret.suffix($0)) }
    }
}

extension Redactor {
    /// The value with all its texts redacted, names of keys as well.
    package func redacted(_ value: JSONValue) -> JSONValue {
        guard !isEmpty else { return value }
        return switch value {
        case .string(let text): .string(redacted(text))
        case .array(let values): .array(values.map(redacted))
        case .object(let values):
            .object(Dictionary(values.map { (redacted($0), redacted($1)) }, uniquingKeysWith: { first, _ in first }))
        default: value
        }
    }
}
