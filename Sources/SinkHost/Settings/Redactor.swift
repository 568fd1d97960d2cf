package import ShareModel

/// Removes secrets from a sink's texts. It replaces each secret by `***`, in its plain form and in its JSON form. Of a
/// secret with several lines, it also replaces each longer line.
package struct Redactor: Sendable {
    private static let stars = Array("***".utf8)
    /// Shorter lines of a secret, and shorter ends of a cut one, stay: they would match ordinary words.
    private static let shortestPart = 8

    /// The longest first. Otherwise a secret that begins another one would leave the rest of that one visible.
    private let hidden: [[UInt8]]

    /// - Parameter secrets: the values of the secrets.
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

    /// The JSON form of an encoder that escapes all but ASCII, with lower-case digits, such as Python's.
    private static func ascii(_ json: [UInt8]) -> [UInt8] {
        // RFC 8259, section 7: an escape stands for a unit of UTF-16, so some characters take two.
        String(decoding: json, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 0x80 { return [UInt8(unit)] }
            let digits = String(unit, radix: 16)
            return Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        }
    }

    package var isEmpty: Bool { hidden.isEmpty }

    /// The text with `***` in place of each secret.
    ///
    /// - Parameter isTail: whether the beginning of the text was cut off. Then it may start with the end of a secret.
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

    /// The number of bytes at the beginning that are the end of this secret.
    private func endOfSecret(_ secret: [UInt8], beginning bytes: [UInt8]) -> Int? {
        guard secret.count > Self.shortestPart else { return nil }
        return (Self.shortestPart..<secret.count).reversed().first { bytes.starts(with: secret.suffix($0)) }
    }
}

extension Redactor {
    /// The value with all of its texts redacted, including the names of keys.
    package func redacted(_ value: JSONValue) -> JSONValue {
        guard !isEmpty else { return value }
        return switch value {
        case .string(let text): .string(redacted(text))
        case .array(let values): .array(values.map(redacted))
        case .object(let values):
            // Two keys can become equal when their secrets are replaced.
            .object(Dictionary(values.map { (redacted($0), redacted($1)) }, uniquingKeysWith: { first, _ in first }))
        default: value
        }
    }
}
