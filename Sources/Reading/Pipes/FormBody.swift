package import ShareModel
package import SystemPackage

/// The body of a form, copied from a pipe into a file: one package, with a part for each file.
///
/// The copy is read twice, as a container file is. A form tells its title and the number of its files only at its end,
/// and a pipe cannot go back.
package struct FormBody: PartSource {
    private let file: FileDescriptor
    private let size: Int64
    private let context: ReadingContext

    /// - Parameter file: the whole body. It stays open until the parts were read.
    package init(_ file: FileDescriptor, size: Int64, readers: Readers, limits: ReadingLimits) {
        self.file = file
        self.size = size
        context = ReadingContext(limits: limits, readers: readers)
    }

    /// The package of the form. It has a warning if bytes follow the form.
    ///
    /// - Throws: if the form is broken or exceeds a limit.
    package func package(_ source: PackageSource) throws(ReadingError) -> SharePackage {
        let form = try form()
        var package = try PartList(walk(form)).package(source)
        let rest = try form.countRest()
        if rest > 0 {
            package.warnings.append("bytes behind the end of the form are not taken in: \(rest); mend the sender")
        }
        return package
    }

    package func open() throws(ReadingError) -> any OpenedContainer { walk(try form()) }

    private func form() throws(ReadingError) -> FormContainer {
        try FormContainer(PeekableStream(CopyStream(file, size: size)), context.limits)
    }

    private func walk(_ form: FormContainer) -> PartWalk {
        let budget = ReadingBudget(context.limits, of: FilePath(PipeBeginning.name))
        return PartWalk(form, readers: context.readers.containers, budget: budget) {}
    }
}

/// The copy of a pipe as a stream. Several of them may read one file, each at its own place.
private final class CopyStream: ByteStream {
    private let file: FileDescriptor
    private let size: Int64
    private var place: Int64 = 0

    init(_ file: FileDescriptor, size: Int64) { (self.file, self.size) = (file, size) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        do {
            let count = Int(min(Int64(buffer.count), size - place))
            let read = try file.read(
                fromAbsoluteOffset: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            place += Int64(read)
            return read
        } catch {
            throw ReadingError(.unreadable, "the copy of \(PipeBeginning.name) cannot be read: \(error)")
        }
    }
}
