internal import Files
package import ShareModel
package import SystemPackage

/// Open files that a program hands over, as the parts of one package. Each is read once, from its position to its end.
package final class OpenFiles: PartSource {
    private let files: [(descriptor: FileDescriptor, name: String)]

    /// - Parameter files: the caller closes them, after the package was read.
    package init(_ files: [(descriptor: FileDescriptor, name: String)]) { self.files = files }

    /// The reference to the file with this index.
    package static func part(_ index: Int, named name: String) -> PartReference {
        PartReference(index: index, path: path(name))
    }

    private static func path(_ name: String) -> FilePath { FilePath(bytes: Array(name.utf8)) }

    package func open() -> any OpenedContainer { Parts(files) }

    private final class Parts: OpenedContainer {
        private var rest: ArraySlice<(descriptor: FileDescriptor, name: String)>
        private var stream: PipeStream?

        init(_ files: [(descriptor: FileDescriptor, name: String)]) { rest = files[...] }

        func next() -> ContainerPart? {
            let file = rest.popFirst()
            stream = file.map { PipeStream($0.descriptor, name: $0.name) }
            return file.map { ContainerPart(path: OpenFiles.path($0.name)) }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
            try stream?.read(into: buffer) ?? 0
        }
    }
}
