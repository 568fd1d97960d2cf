/// Takes the body of a form apart: `multipart/form-data`. RFC 7578; RFC 2046, section 5.1.
///
/// The caller appends bytes as they come, and calls ``next()`` until it needs more. The parser holds the bytes of one
/// reading and at most ``headerLimit`` more, so a body may be of any length.
package struct MultipartParser {
    package enum Event: Equatable {
        case needsBytes
        /// A part begins. Its content follows in any number of pieces, up to the next part or the end.
        case part(MultipartHeader)
        case content(ArraySlice<UInt8>)
        /// The last delimiter. Bytes behind it mean nothing; see ``rest``.
        case end
    }

    package enum Fault: Error, Equatable {
        /// The body has no last delimiter.
        case truncated
        /// A part has a header longer than the limit.
        case longHeader
        /// A part has a header that names no field.
        case namelessPart
    }

    private enum State {
        case header
        /// Before the first byte of a part. A delimiter may follow the header at once; their line end is the same then.
        case beginning
        case content
        case end
    }

    /// The meaning of the delimiter's bytes at some place.
    private enum Meaning {
        /// They belong to the content, because the line goes on.
        case content
        case unknown
        /// The next part. Its header begins at the line end before `header`.
        case part(header: Int)
        case end
    }

    /// The longest boundary, in bytes. RFC 2046, section 5.1.1.
    package static let boundaryLimit = 70
    /// The longest header of a part, in bytes.
    package let headerLimit: Int

    private let delimiter: [UInt8]
    private var buffer = Array("\r\n".utf8)
    private var start = 0
    private var state = State.content
    private var isComplete = false

    /// - Parameter boundary: the text that divides the parts, without the hyphens before it.
    package init(boundary: [UInt8], headerLimit: Int) {
        delimiter = Array("\r\n--".utf8) + boundary
        self.headerLimit = headerLimit
    }

    /// The boundary of a body that begins with these bytes; `nil` if they do not begin a form's body. They must have the
    /// first line, and the second one up to its first hyphen.
    package static func boundary(in head: [UInt8]) -> [UInt8]? {
        guard head.starts(with: "--".utf8) else { return nil }
        let boundary = head.dropFirst(2).prefix { (0x20...0x7E).contains($0) }
        let rest = head.dropFirst(2 + boundary.count)
        let header = String(decoding: rest.dropFirst(2).prefix(8), as: UTF8.self).lowercased()
        guard (1...boundaryLimit).contains(boundary.count), boundary.last != UInt8(ascii: " "),
            rest.starts(with: "\r\n".utf8), header == "content-"
        else { return nil }
        return Array(boundary)
    }

    /// After the last delimiter: the bytes behind it that were appended with it.
    package var rest: ArraySlice<UInt8> { state == .end ? buffer[(start + delimiter.count + 2)...] : [] }

    /// Adds the bytes of one reading; none of them at the end of the body.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        if bytes.isEmpty { isComplete = true } else { buffer.append(contentsOf: bytes) }
    }

    /// The next event. Each call goes on behind the last event.
    package mutating func next() throws(Fault) -> Event {
        while true {
            switch state {
            case .header: return try nextHeader()
            case .beginning:
                guard buffer.count - start >= delimiter.count || isComplete else { return .needsBytes }
                if buffer[start...].starts(with: delimiter), let event = delimiterEvent() { return event }
                if state == .beginning { (start, state) = (start + 2, .content) }
            case .content:
                if let event = try nextInContent() { return event }
            case .end: return .end
            }
        }
    }

    /// The next event in the content of a part; `nil` if a header follows.
    private mutating func nextInContent() throws(Fault) -> Event? {
        let found = ByteSearch.first(delimiter, in: buffer[start...])
        // Without a delimiter, the last bytes may be the beginning of one.
        let end = found ?? max(start, buffer.count - delimiter.count + 1)
        if end > start { return content(upTo: end) }
        guard found != nil else { return try moreBytes() }
        if let event = delimiterEvent() { return event }
        return state == .content ? content(upTo: start + delimiter.count) : nil
    }

    /// Goes on behind the delimiter at the current place; `nil` if a header follows, or if it is no delimiter. The state
    /// tells.
    private mutating func delimiterEvent() -> Event? {
        switch meaning {
        case .content: return nil
        case .unknown: return .needsBytes
        case .part(let header):
            (start, state) = (header, .header)
            return nil
        case .end:
            state = .end
            return .end
        }
    }

    /// The meaning of the delimiter's bytes at the current place.
    private var meaning: Meaning {
        let rest = buffer[(start + delimiter.count)...]
        if rest.starts(with: "--".utf8) { return .end }
        let padding = rest.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        let line = rest.dropFirst(padding).prefix(2)
        if line.elementsEqual("\r\n".utf8) { return .part(header: start + delimiter.count + padding) }
        // The line may go on with the next bytes.
        let isOpen = line.isEmpty || line.elementsEqual("\r".utf8) || padding == 0 && line.elementsEqual("-".utf8)
        return isOpen && padding <= Self.boundaryLimit && !isComplete ? .unknown : .content
    }

    private mutating func content(upTo end: Int) -> Event {
        defer { start = end }
        return .content(buffer[start..<end])
    }

    private mutating func nextHeader() throws(Fault) -> Event {
        // The header lies between the line end of the delimiter and an empty line.
        let longest = headerLimit + 6
        guard let end = ByteSearch.first(Array("\r\n\r\n".utf8), in: buffer[start...].prefix(longest)) else {
            guard buffer.count - start < longest else { throw .longHeader }
            return try moreBytes()
        }
        guard let header = MultipartHeader(buffer[(start + 2)..<max(end, start + 2)]) else { throw .namelessPart }
        // The second line end stays: it may be that of a delimiter.
        (start, state) = (end + 2, .beginning)
        return .part(header)
    }

    private func moreBytes() throws(Fault) -> Event {
        if isComplete { throw .truncated }
        return .needsBytes
    }
}
