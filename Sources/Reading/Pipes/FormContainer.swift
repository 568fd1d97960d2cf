internal import Formats
internal import ShareModel
internal import SystemPackage

/// The parts of a form: `multipart/form-data`.
///
/// The fields have the names that a web share target states by convention: `title` and `text` describe the package, and
/// `url` is a link. Any other field is a part like a file, so that nothing of the form is lost.
final class FormContainer: OpenedContainer {
    private static let pieceBytes = 64 << 10

    private let stream: any ByteStream
    private let limits: ReadingLimits
    private var parser: MultipartParser
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    /// Content of the current part that is not read yet.
    private var content: ArraySlice<UInt8> = []
    /// The event behind the content of the current part.
    private var upcoming: MultipartParser.Event?
    private var fields: [String: String] = [:]
    private var links: [String] = []
    /// The bytes of all fields that are kept in memory.
    private var fieldBytes = 0

    /// - Throws: if the stream does not begin like a form.
    init(_ stream: PeekableStream, _ limits: ReadingLimits) throws(ReadingError) {
        guard let boundary = MultipartParser.boundary(in: stream.head) else {
            throw ReadingError(.malformed, "\(PipeBeginning.name) is not the body of a form")
        }
        self.stream = stream
        self.limits = limits
        parser = MultipartParser(boundary: boundary, headerLimit: limits.formHeaderBytes)
    }

    deinit { piece.deallocate() }

    func next() throws(ReadingError) -> ContainerPart? {
        while true {
            while try fill() { content = [] }
            guard case .part(let header) = upcoming ?? .end else { return nil }
            upcoming = nil
            if let part = try part(header) { return part }
        }
    }

    /// Reads on behind the last delimiter, when ``next()`` has returned `nil`.
    ///
    /// - Returns: the number of bytes there; 0 if they are only white space, such as a line end.
    /// - Throws: if the stream cannot be read; if the task was cancelled, for which the caller checks.
    func countRest() throws(ReadingError) -> Int64 {
        var isBlank = parser.rest.allSatisfy(\.isJSONSpace)
        var count = Int64(parser.rest.count)
        while case let read = try stream.read(into: piece), read > 0 {
            // There may be many gigabytes.
            guard !Task.isCancelled else { throw ReadingError(.unreadable, "the end of the form was not read") }
            isBlank = isBlank && piece[..<read].allSatisfy(\.isJSONSpace)
            count += Int64(read)
        }
        return isBlank ? 0 : count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard try fill() else { return 0 }
        let count = min(buffer.count, content.count)
        buffer.copyBytes(from: content.prefix(count))
        content = content.dropFirst(count)
        return count
    }

    func items(of parts: [ContainerPart], _ references: [PartReference]) -> [ExtensionItem] {
        let links = links.map { ItemProvider(representations: [Representation(content: .link($0))]) }
        let files = zip(parts, references).map { part, reference in
            ItemProvider(
                suggestedName: part.path.lastComponent?.string,
                representations: [Representation(declaredType: part.declaredType, content: .part(reference))])
        }
        return [ExtensionItem(title: fields["title"], text: fields["text"], attachments: links + files)]
    }

    /// The part of a header; `nil` if its content belongs to the package's description, or there is none.
    private func part(_ header: MultipartHeader) throws(ReadingError) -> ContainerPart? {
        guard let file = header.fileName else {
            let isKnown = ["title", "text"].contains(header.name) && fields[header.name] == nil
            // The bytes of an encoded field are not its text. It is a part, which fails.
            if header.encoding == nil, isKnown || header.name == "url" {
                keep(try text(), of: header.name)
                return nil
            }
            return part(named: header.name, header)
        }
        // A browser sends an empty file without a name if a person chose none.
        if file.isEmpty, try !fill() { return nil }
        return part(named: file.isEmpty ? header.name : file, header)
    }

    private func part(named name: String, _ header: MultipartHeader) -> ContainerPart {
        // A name may hold slashes and NULs. Only its last component is used, and that is made safe.
        var part = ContainerPart(path: FilePath(name.replacing("\0", with: "")), declaredType: header.type)
        if let encoding = header.encoding {
            part.failure = ReadingError(
                .refused, "it is encoded as \(encoding), which forms do not use (RFC 7578); send its bytes")
        }
        return part
    }

    private func keep(_ text: String, of field: String) {
        // A browser sends each field, also one that nothing was entered into.
        guard !text.isEmpty else { return }
        // A short text costs memory too.
        fieldBytes += MemoryLayout<String>.stride
        if field == "url" { links.append(text) } else { fields[field] = text }
    }

    private func text() throws(ReadingError) -> String {
        var bytes: [UInt8] = []
        while try fill() {
            bytes += content
            fieldBytes += content.count
            content = []
            guard fieldBytes <= limits.formFieldBytes else {
                let limit = limits.formFieldBytes
                throw ReadingError(
                    .limit, "title, text and addresses of a form have at most \(limit) bytes; send them as a file")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ReadingError(.malformed, "a text of the form is not UTF-8; send it as UTF-8, or as a file")
        }
        return text
    }

    /// Makes sure that ``content`` has bytes of the current part.
    ///
    /// - Returns: `false` at the end of the part.
    private func fill() throws(ReadingError) -> Bool {
        while content.isEmpty, upcoming == nil {
            do {
                switch try parser.next() {
                case .content(let bytes): content = bytes
                case .needsBytes: parser.append(piece[..<(try stream.read(into: piece))])
                case .part(let header): upcoming = .part(header)
                case .end: upcoming = .end
                }
            } catch let error as ReadingError {
                throw error
            } catch {
                throw failure(error)
            }
        }
        return !content.isEmpty
    }

    private func failure(_ error: any Error) -> ReadingError {
        switch error as? MultipartParser.Fault {
        case .truncated: ReadingError(.malformed, "the form ends in its middle; send it again")
        case .longHeader:
            ReadingError(.limit, "a part of the form has a header longer than \(limits.formHeaderBytes) bytes")
        case .namelessPart, nil:
            ReadingError(
                .malformed, "a part of the form names no field (Content-Disposition: form-data); mend the sender")
        }
    }
}
