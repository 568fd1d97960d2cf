import Foundation

/// Splits a Swift source into its string literals and its code. Comments belong to neither.
struct Source {
    struct Literal: Equatable {
        /// The line on which it begins, counted from 1.
        var line: Int
        /// The text between the quotation marks, with `…` in place of each interpolation.
        var text: String
    }

    /// The literals in the order of their ends. The literals in an interpolation come before the literal around it.
    private(set) var literals: [Literal] = []
    var code: String { String(decoding: codeBytes, as: UTF8.self) }

    private var codeBytes: [UInt8] = []
    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    init(_ file: URL) throws { self.init(text: try String(contentsOf: file, encoding: .utf8)) }

    init(text: String) {
        bytes = Array(text.utf8)
        readCode(isInterpolation: false)
    }

    /// Reads to the end of the source, or to the parenthesis that ends an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "/") where isAt("//"):
                skip(upTo: UInt8(ascii: "\n"))
                continue
            case UInt8(ascii: "/") where isAt("/*"):
                while place < bytes.count, !isAt("*/") { skip() }
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                guard let hashes = hashesOfLiteral else { break }
                readLiteral(hashes)
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            skip()
            // This parenthesis ends the interpolation, and belongs to the literal.
            if isInterpolation, depth < 0 { return }
            codeBytes.append(byte)
        }
    }

    /// The number signs of a literal that begins here; `nil` if no literal begins here.
    private var hashesOfLiteral: String? {
        var next = place
        while next < bytes.count, bytes[next] == UInt8(ascii: "#") { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else { return nil }
        return String(repeating: "#", count: next - place)
    }

    private mutating func readLiteral(_ hashes: String) {
        let start = line
        skip(hashes.count)
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        skip(quotes.count)
        var text: [UInt8] = []
        let (end, escape) = (quotes + hashes, "\\" + hashes)
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\""), isAt(end) { break }
            guard byte == UInt8(ascii: "\\"), isAt(escape) else {
                text.append(byte)
                skip()
                continue
            }
            // With number signs, only an escape with as many of them is an interpolation.
            if isAt(escape + "(") {
                skip(escape.utf8.count + 1)
                readCode(isInterpolation: true)
                text += Array("…".utf8)
            } else {
                text += bytes[place...].prefix(escape.utf8.count + 1)
                skip(escape.utf8.count + 1)
            }
        }
        skip(quotes.count + hashes.count)
        literals.append(Literal(line: start, text: String(decoding: text, as: UTF8.self)))
    }

    private func isAt(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            place + text.count <= bytes.count && text.indices.allSatisfy { bytes[place + $0] == text[$0] }
        }
    }

    private mutating func skip(upTo end: UInt8) {
        place = bytes[place...].firstIndex(of: end) ?? bytes.count
    }

    private mutating func skip(_ count: Int = 1) {
        let end = min(place + count, bytes.count)
        while place < end {
            if bytes[place] == UInt8(ascii: "\n") { line += 1 }
            place += 1
        }
    }
}
