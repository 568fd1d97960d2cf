import Foundation
import SinkKit

/// Where a part goes, and the words that a description of a service may use for it.
struct Destination {
    /// The folder, encoded for a URL; empty for none.
    let folder: String
    /// Folder and name, encoded for a URL.
    let path: String
    private let words: [String: String]

    /// - Parameter folder: the folder of the settings.
    init(_ part: Delivery.Part, folder: String) {
        let steps = folder.split(separator: "/").map { Self.encoded(String($0)) }
        let name = Self.name(of: part)
        self.folder = steps.joined(separator: "/")
        path = (steps + [Self.encoded(name)]).joined(separator: "/")
        words = [
            "path": path, "name": Self.encoded(name), "type": part.type, "sha256": part.sha256,
            "sha256_base64": Self.base64(ofDigits: part.sha256), "name_base64": Data(name.utf8).base64EncodedString(),
            "type_base64": Data(part.type.utf8).base64EncodedString(),
        ]
    }

    /// The text with the words in braces filled in.
    func filled(_ text: String) -> String {
        words.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The folders that must exist, from the outermost one on, encoded for a URL.
    var folders: [String] {
        let steps = folder.split(separator: "/")
        return steps.indices.map { steps[...$0].joined(separator: "/") }
    }

    /// A name that other content does not have: that of the part, with the beginning of its digest before the ending. The same content
    /// has the same name, so it is there once.
    private static func name(of part: Delivery.Part) -> String {
        let dot = part.name.lastIndex(of: ".").flatMap { $0 == part.name.startIndex ? nil : $0 } ?? part.name.endIndex
        return "\(part.name[..<dot])-\(part.sha256.prefix(digits))\(part.name[dot...])"
    }

    private static let digits = 10

    /// Everything but the unreserved characters of RFC 3986 is encoded, so that no service reads a name otherwise.
    private static func encoded(_ step: String) -> String {
        step.utf8.reduce(into: "") { text, byte in
            let isPlain =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~".utf8.contains(byte)
                }
            if isPlain {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }

    private static func base64(ofDigits digits: String) -> String {
        let digits = Array(digits.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16)
        }
        return Data(bytes).base64EncodedString()
    }
}
