package import ShareModel
package import SinkKit

/// Finds secrets in a sink's texts, in their plain form and in their JSON forms.
///
/// In a log or a reason, it replaces each secret by `***`; of a secret with several lines also each longer line. An
/// answer must contain no secret: a replacement would falsify findings that the container keeps.
package struct Redactor: Sendable {
    private static let stars = Array("***".utf8)
    /// The fewest characters of a secret. A shorter one would match ordinary words.
    package static let shortestSecret = 8
    /// Shorter lines of a secret, and shorter pieces of a cut one, stay, because they would match ordinary words.
    private static let shortestPart = 8

    /// Whole secrets in each form.
    private let secrets: Set<[UInt8]>
    /// Whole secrets and their longer lines. The longest come first. Otherwise a secret that begins another one would
    /// leave the rest of that one visible.
    private let hidden: [[UInt8]]

    /// - Parameter secrets: the values of the secrets.
    package init(_ secrets: some Sequence<String>) {
        let known = secrets.filter { !$0.isEmpty }
        self.secrets = Set(known.flatMap(Self.forms))
        let lines = known.flatMap { $0.utf8.split(separator: UInt8(ascii: "\n")).map(Array.init) }
        hidden = self.secrets.union(lines.filter { $0.count >= Self.shortestPart }).sorted { $0.count > $1.count }
    }

    /// The plain form of a secret, and its forms in JSON. Encoders differ in whether they escape slashes and
    /// characters that are not ASCII, and in the case of the digits (RFC 8259, section 7).
    private static func forms(_ secret: String) -> [[UInt8]] {
        let plain = Array(secret.utf8)
        let json = [false, true].flatMap { uppercase in
            [false, true].map { escaped(secret, onlyASCII: $0, uppercase: uppercase) }
        }
        return [plain] + json + json.map(escapingSlashes)
    }

    private static func escaped(_ secret: String, onlyASCII: Bool, uppercase: Bool) -> [UInt8] {
        secret.unicodeScalars.flatMap { scalar -> [UInt8] in
            if let name = shortEscapes[scalar] { return [UInt8(ascii: "\\"), name] }
            guard scalar.value < 0x20 || onlyASCII && !scalar.isASCII else { return Array(String(scalar).utf8) }
            // An escape stands for a unit of UTF-16, so some characters take two.
            return String(scalar).utf16.flatMap {
                Array("\\u\($0.padded(to: 4, radix: 16, uppercase: uppercase))".utf8)
            }
        }
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "\\": UInt8(ascii: "\\"), "\u{8}": UInt8(ascii: "b"), "\u{C}": UInt8(ascii: "f"),
        "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]

    private static func escapingSlashes(_ json: [UInt8]) -> [UInt8] {
        json.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    /// The text with `***` in place of each secret.
    ///
    /// - Parameter isCut: whether the text may begin or end within a secret, as the tail of a log may. Then the pieces
    ///   of a secret at its ends are replaced too.
    package func redacted(_ text: String, isCut: Bool = false) -> String {
        guard !hidden.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        var clean: [UInt8] = []
        if isCut, let piece = hidden.compactMap({ Self.piece(of: $0, beginning: bytes) }).max() {
            clean += Self.stars
            rest = rest.dropFirst(piece)
        }
        while let first = rest.first {
            let secret = hidden.first { $0.first == first && rest.starts(with: $0) }
            if let secret {
                clean += Self.stars
                rest = rest.dropFirst(secret.count)
            } else if isCut, rest.count >= Self.shortestPart,
                hidden.contains(where: { $0.first == first && $0.starts(with: rest) })
            {
                clean += Self.stars
                rest = []
            } else {
                clean.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: clean, as: UTF8.self)
    }

    /// The number of bytes at the beginning that belong to this secret, which began before them: they reach to the
    /// secret's end or to that of the text.
    private static func piece(of secret: [UInt8], beginning bytes: [UInt8]) -> Int? {
        guard secret.count > shortestPart, bytes.count >= shortestPart else { return nil }
        // The first match is the longest one.
        let start = (1...(secret.count - shortestPart)).first { start in
            secret[start...].starts(with: bytes.prefix(secret.count - start))
        }
        return start.map { min(secret.count - $0, bytes.count) }
    }

    /// Whether the text contains a whole secret.
    package func finds(in text: String) -> Bool {
        guard !secrets.isEmpty else { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.contains { place in
            secrets.contains { $0.first == bytes[place] && bytes[place...].starts(with: $0) }
        }
    }

    /// Whether an answer's metadata, or what it says of its products, contains a whole secret.
    package func finds(in done: SinkMessage.Done) -> Bool {
        done.metadata.map(finds(in:)) == true
            || (done.products ?? []).flatMap { [$0.path, $0.role, $0.type] }.contains(where: finds(in:))
    }

    /// Whether one of the value's texts contains a whole secret, the names of keys included.
    package func finds(in value: JSONValue) -> Bool {
        guard !secrets.isEmpty else { return false }
        return switch value {
        case .string(let text): finds(in: text)
        case .array(let values): values.contains(where: finds(in:))
        case .object(let values): values.contains { finds(in: $0) || finds(in: $1) }
        // A secret may be a number.
        case .integer(let number): finds(in: "\(number)")
        case .number(let number): finds(in: "\(number)")
        default: false
        }
    }
}
