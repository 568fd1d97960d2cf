internal import ShareModel
internal import SystemPackage

/// A container that is a file. It is opened for the list of its parts, and once more to read them.
struct ContainerFile: PartSource {
    let reader: any ContainerReader
    let source: PackageSource
    let path: FilePath
    let context: ReadingContext

    func open() throws(ReadingError) -> any OpenedContainer {
        guard let walk = try openIfMine() else { throw .changedContainer(source.path) }
        return walk
    }

    /// The parts; `nil` if the file is no container of the reader's format.
    func openIfMine() throws(ReadingError) -> PartWalk? {
        let opener = SourceOpener(
            folder: source.folder, root: source.root, bag: source.bag, limits: context.limits)
        guard case .file(let file) = try opener.open(FileReference.path(path)) else {
            throw ReadingError(.changed, "\(source.path) was a file, and is a folder now; run again")
        }
        if let stamp = source.stamp, stamp != file.stamp { throw .changedContainer(source.path) }
        let stream = FileStream(file)
        guard let container = try reader.open(PeekableStream(stream), path: source.path) else { return nil }
        let budget = ReadingBudget(context.limits, of: source.path)
        return PartWalk(container, readers: context.readers.containers, budget: budget) { () throws(ReadingError) in
            try stream.checkUnchanged()
        }
    }
}

extension ReadingError {
    static func changedContainer(_ path: FilePath) -> ReadingError {
        ReadingError(.changed, "\(path) changed since its parts were listed; run again once it is written")
    }
}

/// An open file as a stream.
private final class FileStream: ByteStream {
    private let file: OpenedFile

    init(_ file: consuming OpenedFile) { self.file = file }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int { try file.read(into: buffer) }

    /// Throws if the file is not what it was when it was opened, however much of it was read.
    func checkUnchanged() throws(ReadingError) { try file.checkUnchanged(afterReading: file.size) }
}

/// The parts of a container as the items of a package.
struct PartList {
    private let container: PartWalk
    private var parts: [ContainerPart] = []
    private var references: [PartReference] = []

    /// Lists all parts, up to the container's end.
    init(_ container: PartWalk) throws(ReadingError) {
        self.container = container
        while let part = try container.next() {
            references.append(PartReference(index: parts.count, path: part.path, size: part.size))
            parts.append(part)
        }
    }

    func package(_ source: PackageSource) -> SharePackage {
        SharePackage(source: source, items: container.items(of: parts, references))
    }
}
