internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SystemPackage

/// The packages on standard input. Its beginning decides what it is.
///
/// Memory does not grow with its length: a file streams into the container, a form is copied to the disk first, and
/// descriptions are read one by one.
struct StandardInput {
    private static let source = PackageSource(kind: .standardInput, path: "-", folder: nil)

    private enum Content {
        case descriptions(DescriptionLines)
        case form(PeekableStream)
        case package(ReadInput)
    }

    private let readers: Readers
    private let limits: ReadingLimits
    /// What is still to be read.
    private var content: Content?
    /// The copy of a form. It lives as long as its parts may be read.
    private var copy: (area: any StagingArea, file: any StagingFile)?

    /// Reads the beginning, and waits for it.
    ///
    /// - Parameter name: takes standard input in as one file of this name, whatever its bytes are.
    /// - Throws: ``IngestionError`` with the code `usage` if standard input cannot be read or is empty, or if its bytes are
    ///   none of the forms that a run knows.
    init(name: String?, descriptor: FileDescriptor = .standardInput, readers: Readers, limits: ReadingLimits) throws {
        (self.readers, self.limits) = (readers, limits)
        // The program before it may send a description now and then, and each is taken in at once.
        let stream = try Self.open(descriptor) { name == nil && PipeBeginning($0) == .descriptions }
        guard !stream.head.isEmpty else {
            throw IngestionError(
                .usage, "\(PipeBeginning.name) is empty; see whether the program before it failed, or name a path")
        }
        if let name {
            let file = PipedFile(descriptor, after: stream.head, named: name)
            content = .package(.package(file.package(Self.source, named: name), parts: file))
            return
        }
        switch PipeBeginning(stream.head) {
        case .descriptions:
            content = .descriptions(
                DescriptionLines(stream, limit: limits.descriptionBytes) { descriptor.isReadable })
        case .form: content = .form(stream)
        case .link(let address): content = .package(.link(address))
        case .unknown: throw IngestionError(.usage, PipeBeginning.expected, remedy: .nameInput)
        }
    }

    private static func open(_ descriptor: FileDescriptor, until isEnough: ([UInt8]) -> Bool) throws(IngestionError)
        -> PeekableStream
    {
        do {
            return try PeekableStream(PipeStream(descriptor), until: isEnough)
        } catch {
            throw IngestionError(.usage, error.message)
        }
    }

    /// Whether no package follows.
    var isAtEnd: Bool { content == nil }

    /// The next package; `nil` at the end, and for a task that was cancelled before a description was whole. Of a
    /// description over several lines, a cancelled task gets the lines that came.
    ///
    /// - Parameters:
    ///   - waiting: whether to wait for a description that is not whole yet. Otherwise the result is `nil`, also before the
    ///     end.
    ///   - makeArea: makes a staging area for the copy of a form.
    /// - Throws: an error of the container; `CancellationError`.
    mutating func next(waiting: Bool = true, _ makeArea: () throws -> any StagingArea) throws -> HandedInput? {
        switch content.take() {
        case .descriptions(let lines): return next(lines, waiting: waiting)
        case .form(let stream): return try form(stream, makeArea())
        case .package(let input): return HandedInput(input: input)
        case nil: return nil
        }
    }

    private mutating func next(_ lines: DescriptionLines, waiting: Bool) -> HandedInput? {
        var lines = lines
        do throws(ReadingError) {
            let next = try lines.next(waiting: waiting)
            content = lines.isAtEnd ? nil : .descriptions(lines)
            guard let description = next else { return nil }
            let name = description.line.map { "line \($0) of \(PipeBeginning.name)" } ?? PipeBeginning.name
            return HandedInput(
                input: .described(description.bytes, named: name, Self.source, limits: limits),
                original: .bytes(description.bytes))
        } catch {
            return HandedInput(input: .failed(Self.source, error))
        }
    }

    /// The package of a form, which is copied first. A form that is broken or has no room fails alone.
    private mutating func form(_ stream: PeekableStream, _ area: any StagingArea) throws -> HandedInput {
        var original: HandedInput.Original?
        do {
            let file = try area.makeFile()
            try take(stream, into: file)
            let object = file.finish()
            copy = (area, file)
            original = .staged(object)
            let form = FormBody(file.descriptor, size: object.size, readers: readers, limits: limits)
            return HandedInput(input: .package(try form.package(Self.source), parts: form), original: original)
        } catch let error as ReadingError {
            // A reading that was cancelled says nothing about the form.
            try Task.checkCancellation()
            return HandedInput(input: .failed(Self.source, error), original: original)
        } catch let error as ContainerError where error.code == .tooLarge {
            let why = IngestionError(error).withoutRoom(for: PipeBeginning.name)
            return HandedInput(input: .failed(Self.source, ReadingError(.limit, why.message, remedy: why.remedy)))
        } catch  where error.isFullDisk {
            throw IngestionError(error).withoutRoom(for: PipeBeginning.name)
        }
    }

    private func take(_ stream: PeekableStream, into file: any StagingFile) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        while case let count = try stream.read(into: buffer), count > 0 {
            try Task.checkCancellation()
            guard file.size + Int64(count) <= limits.containerBytes else {
                throw ReadingError(
                    .limit, "the form has more than \(limits.containerBytes) bytes; send its files by themselves")
            }
            try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
