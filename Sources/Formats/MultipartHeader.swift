/// The header of a part of a form.
package struct MultipartHeader: Equatable, Sendable {
    /// The name of the form's field; it may be empty.
    package let name: String
    /// The name of the file; `nil` if the part is no file. It may be malicious.
    package let fileName: String?
    /// The MIME type, in lower case and without parameters; `nil` if none is stated.
    package let type: String?
    /// The transfer encoding in lower case; `nil` if none is stated, or if it changes no bytes.
    package let encoding: String?

    /// - Parameter bytes: the lines of the header, without the empty one. `nil` if they name no field.
    package init?(_ bytes: some Sequence<UInt8>) {
        // RFC 5322, section 2.2.3: a line that begins with white space continues the one before.
        let text = String(decoding: Array(bytes), as: UTF8.self).replacing("\r\n ", with: " ").replacing(
            "\r\n\t", with: " ")
        var fields: [String: String] = [:]
        for line in text.split(separator: "\r\n") {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = line[..<colon].lowercased()
            fields[name] = fields[name] ?? String(line[line.index(after: colon)...])
        }
        let disposition = HeaderParameters(fields["content-disposition"] ?? "")
        guard disposition.value == "form-data", let name = disposition["name"] else { return nil }
        self.name = name
        // RFC 7578, section 4.2, forbids the first form. Programs that send it send the second one too, for readers of ASCII.
        fileName = disposition["filename*"].flatMap(Self.extended) ?? disposition["filename"]
        type = fields["content-type"].map { HeaderParameters($0).value }.flatMap { $0.isEmpty ? nil : $0 }
        let encoding = fields["content-transfer-encoding"].map { HeaderParameters($0).value } ?? "binary"
        self.encoding = ["7bit", "8bit", "binary", ""].contains(encoding) ? nil : encoding
    }

    /// A value such as `UTF-8''na%C3%AFve.txt`. RFC 8187, section 3.2.
    private static func extended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return String(decoding: PercentEncoding.decode(Array(parts[2].utf8)) { _ in true }, as: UTF8.self)
    }
}

/// The value of a header field and its parameters: `form-data; name="a"; filename="b"`.
struct HeaderParameters {
    /// In lower case.
    let value: String
    private var parameters: [String: String] = [:]

    subscript(_ name: String) -> String? { parameters[name] }

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        value = Self.word(&rest).lowercased()
        while rest.popFirst() != nil {
            let word = Self.name(&rest).lowercased()
            guard rest.first == UInt8(ascii: "=") else {
                _ = Self.word(&rest)
                continue
            }
            rest.removeFirst()
            let value = rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.word(&rest)
            parameters[word] = parameters[word] ?? value
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let end = bytes.lastIndex { !isSpace($0) } ?? bytes.startIndex - 1
        return String(decoding: bytes[...end].drop(while: isSpace), as: UTF8.self)
    }

    private static func name(_ rest: inout ArraySlice<UInt8>) -> String {
        let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(name.count)
        return trimmed(name)
    }

    private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
        let word = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(word.count)
        return trimmed(word)
    }

    /// A text in quotation marks.
    ///
    /// Browsers write `%22`, `%0D` and `%0A` for a quotation mark and line ends, and a backslash for itself (WHATWG HTML,
    /// "multipart form data"). Other programs write a backslash before a quotation mark or a backslash (RFC 822).
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            let isEscape = byte == UInt8(ascii: "\\") && (rest.first == UInt8(ascii: "\"") || rest.first == byte)
            bytes.append(isEscape ? rest.removeFirst() : byte)
        }
        _ = word(&rest)
        return String(decoding: PercentEncoding.decode(bytes) { [0x22, 0x0D, 0x0A].contains($0) }, as: UTF8.self)
    }
}

/// Bytes as `%` and two hexadecimal digits.
enum PercentEncoding {
    /// Decodes the bytes that `isWanted` accepts. Anything else stands for itself.
    static func decode(_ bytes: [UInt8], _ isWanted: (UInt8) -> Bool) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]), isWanted(high << 4 | low)
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
