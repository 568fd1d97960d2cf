internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SystemPackage

/// The inputs of a run, in their order.
///
/// It runs on a thread of its own, because listing folders, waiting for a pipe and parsing descriptions block.
actor RunInputs {
    private let input: IngestInput
    private let options: IngestOptions
    private var isOpen = false
    private var walk: PackageReader?
    private var pipe: StandardInput?
    /// The file of a list, which is read while the run goes on.
    private var list: FileDescriptor?
    /// The only input of a run that takes in one package.
    private var single: HandedInput?

    private let executor = QueueExecutor("sluice.read")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ input: IngestInput, _ options: IngestOptions) { (self.input, self.options) = (input, options) }

    /// The inputs of a run that takes one package in, which was read already.
    init(_ handed: HandedInput, _ options: IngestOptions) {
        (input, self.options) = (.addresses([]), options)
        (single, isOpen) = (handed, true)
    }

    deinit { try? list?.close() }

    /// Opens a list and waits for its first line, or waits for the beginning of standard input. Later calls do nothing.
    ///
    /// - Throws: ``IngestionError`` with the code `usage` if there is no such input; `CancellationError`.
    func open() throws {
        guard !isOpen else { return }
        isOpen = true
        do {
            switch input {
            case .addresses(let addresses): walk = try reader(AddressList(addresses))
            case .list(let path, let separator):
                if path != "-" { list = try Self.open(path) }
                var addresses = AddressList(reading: list ?? .standardInput, named: path, separator: separator)
                let isEmpty = addresses.isAtEnd()
                // A reading that was cancelled says nothing about the list.
                try Task.checkCancellation()
                guard !isEmpty else { throw Self.empty(path, separator) }
                walk = try reader(addresses)
            case .standardInput(let name):
                pipe = try StandardInput(name: name, readers: options.readers, limits: options.limits.reading)
            case .package(let package):
                single = HandedInput(input: .package(package))
            }
        } catch {
            // A pipe whose reading was cancelled fails in its own way.
            try Task.checkCancellation()
            throw error
        }
    }

    private func reader(_ addresses: AddressList) throws(IngestionError) -> PackageReader {
        do {
            var reader = try PackageReader(
                addresses, excluding: options.container, ignoring: options.excluded, readers: options.readers,
                limits: options.limits.reading)
            reader.settles = options.settleTime > .zero
            return reader
        } catch {
            throw IngestionError(.usage, error.message)
        }
    }

    private static func empty(_ list: FilePath, _ separator: UInt8) -> IngestionError {
        let name = list == "-" ? PipeBeginning.name : list.string
        let form = separator == 0 ? "each ended by a zero byte" : "each on a line of its own"
        return IngestionError(.usage, "\(name) lists no input; it needs paths or web addresses, \(form)")
    }

    private static func open(_ list: FilePath) throws -> FileDescriptor {
        do {
            // The opening of a FIFO would wait for its writer, and could not be cancelled. The reading can.
            return try FileDescriptor.open(list, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch let error as Errno {
            throw IngestionError(.usage, "\(list) cannot be read: \(error); name a readable file that lists the paths")
        }
    }

    /// The inputs for one worker; none at the end.
    ///
    /// A description on a pipe does not wait for the next one. After a cancellation, the descriptions that have come
    /// through a pipe in full are still returned, because nothing else has them.
    ///
    /// - Parameters:
    ///   - waiting: whether to wait for a pipe. Otherwise the result is `nil` if no input is there yet.
    ///   - makeArea: makes a staging area for what must be copied before it can be read.
    /// - Throws: what ``open()`` throws; an error of the container.
    func next(waiting: Bool = true, _ makeArea: BatchReader.MakeArea) throws -> [HandedInput]? {
        try open()
        let limits = options.limits
        var inputs: [HandedInput] = []
        var bytes: Int64 = 0
        var memory = 0
        while inputs.count < limits.chunkPackages, bytes < limits.chunkBytes, memory < limits.batchMemory,
            let input = try nextInput(waiting: waiting && inputs.isEmpty, makeArea)
        {
            inputs.append(input)
            memory += input.memory
            // A sparse file may state any size; the sum must not overflow.
            bytes += Int64(input.memory) + min(input.fileSize, limits.chunkBytes)
        }
        return inputs.isEmpty && pipe?.isAtEnd == false ? nil : inputs
    }

    private func nextInput(waiting: Bool, _ makeArea: BatchReader.MakeArea) throws -> HandedInput? {
        if let input = try single.take() ?? pipe?.next(waiting: waiting, makeArea) { return input }
        return walk?.next().map { HandedInput(input: $0) }
    }
}
