package import ShareModel
package import SystemPackage

/// A reader of files that contain others, such as archives and mails.
///
/// The reader only knows its format. ``PartWalk`` goes into containers inside of the container and enforces the limits,
/// ``PartOpener`` opens each part once, and the pipeline stores the parts.
package protocol ContainerReader: Reader {
    /// Opens the container whose bytes `stream` yields.
    ///
    /// - Parameters:
    ///   - stream: at the container's first byte. The reader decides by ``PeekableStream/head`` and reads on only if
    ///     the container is of its format. It may keep the stream.
    ///   - path: the container's path, for its name and for errors. It may be malicious.
    /// - Returns: `nil` if the bytes are of another format.
    /// - Throws: if the format is this reader's and the container is broken.
    func open(_ stream: PeekableStream, path: FilePath) throws(ReadingError) -> (any OpenedContainer)?
}

extension ContainerReader {
    package var kind: PackageSource.Kind { .container }
    package var asContainerReader: (any ContainerReader)? { self }

    /// Lists the parts of the container that the input is. The parts are read a second time when they are stored.
    package func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult? {
        guard !input.isFolder else { return nil }
        let file = ContainerFile(reader: self, source: input.source(.container), path: input.path, context: context)
        guard let container = try file.openIfMine() else { return nil }
        return .package(try PartList(container).package(file.source), parts: file)
    }
}

/// Bytes that are read once, from the first to the last.
package protocol ByteStream: AnyObject {
    /// Reads up to `buffer.count` bytes.
    ///
    /// - Returns: the number of bytes; 0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int
}

/// An open container: its parts in order, each of which is read at most once. As a stream, it is its current part.
package protocol OpenedContainer: ByteStream {
    /// Moves to the next part and skips the rest of the current one.
    ///
    /// - Returns: `nil` after the last part.
    /// - Throws: if the container is broken here. Each later call throws too.
    func next() throws(ReadingError) -> ContainerPart?

    /// The items of a package that has these parts. By default, one item with a provider for each part.
    ///
    /// The walk calls it after the last part, so that a mail knows its subject and its alternatives.
    func items(of parts: [ContainerPart], _ references: [PartReference]) -> [ExtensionItem]
}

extension OpenedContainer {
    package func items(of parts: [ContainerPart], _ references: [PartReference]) -> [ExtensionItem] {
        let providers = zip(parts, references).map { part, reference in
            ItemProvider(
                suggestedName: part.path.lastComponent?.string,
                representations: [Representation(declaredType: part.declaredType, content: .part(reference))])
        }
        return [ExtensionItem(attachments: providers)]
    }
}

/// A container's statements about one of its parts.
package struct ContainerPart: Sendable {
    /// The path in the container; it may be malicious, and nothing is written to it.
    package var path: FilePath
    /// In bytes; `nil` if the container does not say before the part's end. A wrong size is an error.
    package var size: Int64?
    /// A MIME type or a uniform type identifier; `nil` if the container declares none.
    package var declaredType: String?
    /// Why the part cannot be read: it is a container itself, and broken.
    package var failure: ReadingError?

    package init(path: FilePath, size: Int64? = nil, declaredType: String? = nil) {
        self.path = path
        self.size = size
        self.declaredType = declaredType
    }
}

/// Opens the container of a package again, to read its parts.
package protocol PartSource: Sendable {
    /// Opens the container at its first part.
    ///
    /// - Throws: with code `changed` if it is not the container that was listed.
    func open() throws(ReadingError) -> any OpenedContainer
}

/// A stream whose first bytes can be seen before they are read.
package final class PeekableStream: ByteStream {
    /// The most that ``head`` has, in bytes.
    package static let headBytes = 4096

    /// The first bytes of the stream; fewer than ``headBytes`` only if the stream is shorter, or if fewer were enough.
    package let head: [UInt8]
    private var place = 0
    private let rest: any ByteStream

    /// A stream whose first bytes were read already.
    init(head: [UInt8], _ rest: any ByteStream) { (self.head, self.rest) = (head, rest) }

    /// - Parameter isEnough: whether the caller needs to see no more than these first bytes. A pipe may have no more for a
    ///   long time.
    package init(_ stream: any ByteStream, until isEnough: ([UInt8]) -> Bool = { _ in false }) throws(ReadingError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headBytes, alignment: 16)
        defer { buffer.deallocate() }
        var head: [UInt8] = []
        while head.count < buffer.count, !isEnough(head) {
            let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]))
            guard read > 0 else { break }
            head += buffer[head.count..<head.count + read]
        }
        self.head = head
        rest = stream
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard place < head.count else { return try rest.read(into: buffer) }
        let count = min(buffer.count, head.count - place)
        head.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
        place += count
        return count
    }
}
