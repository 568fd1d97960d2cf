internal import Files
package import ShareModel
internal import Synchronization
package import SystemPackage

/// A pipe whose bytes are one file. It is the only part of its package, so it streams into the container.
///
/// The package needs to know the parts of its container before the first one is read. A file on a pipe is one part, so
/// nothing of it must be read for that, and it needs no second copy on the disk. A form's parts are known at its end.
package final class PipedFile: PartSource {
    private let descriptor: FileDescriptor
    private let head: [UInt8]
    private let path: FilePath
    private let isOpened = Mutex(false)

    /// - Parameters:
    ///   - descriptor: the pipe, after the first bytes. The caller closes it, after the package was read.
    ///   - head: the bytes that were read from it.
    package init(_ descriptor: FileDescriptor, after head: [UInt8], named name: String) {
        self.descriptor = descriptor
        self.head = head
        path = FilePath(bytes: Array(name.utf8))
    }

    /// The package of the file.
    package func package(_ source: PackageSource, named name: String) -> SharePackage {
        let part = Representation(content: .part(PartReference(index: 0, path: path)))
        return SharePackage(
            source: source,
            items: [ExtensionItem(attachments: [ItemProvider(suggestedName: name, representations: [part])])])
    }

    /// - Throws: with code `refused` at the second opening, because the bytes of a pipe come once.
    package func open() throws(ReadingError) -> any OpenedContainer {
        let isFirst = isOpened.withLock { isOpened in
            defer { isOpened = true }
            return !isOpened
        }
        guard isFirst else {
            throw ReadingError(.refused, "\(PipeBeginning.name) can be read once, and was read already; send it again")
        }
        return OnePart(PeekableStream(head: head, PipeStream(descriptor)), path: path)
    }
}

/// A container whose only part is a whole stream.
private final class OnePart: OpenedContainer {
    private let stream: PeekableStream
    private let path: FilePath
    private var isTaken = false

    init(_ stream: PeekableStream, path: FilePath) { (self.stream, self.path) = (stream, path) }

    func next() throws(ReadingError) -> ContainerPart? {
        guard !isTaken else { return nil }
        isTaken = true
        return ContainerPart(path: path)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int { try stream.read(into: buffer) }
}
