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
    /// The only input of a run that takes in one package.
    private var single: HandedInput?

    private let executor = QueueExecutor("sluice.read")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ input: IngestInput, _ options: IngestOptions) { (self.input, self.options) = (input, options) }

    /// Opens a list, or waits for the beginning of standard input. Later calls do nothing.
    ///
    /// - Throws: ``IngestionError`` with the code `usage` if there is no such input; `CancellationError`.
    func open() throws {
        guard !isOpen else { return }
        isOpen = true
        do {
            switch input {
            case .addresses(let addresses): walk = try reader(AddressList(addresses))
            case .list(let path, let separator):
                walk = try reader(AddressList(reading: Self.open(path), named: path, separator: separator))
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
            return try PackageReader(
                addresses, excluding: options.container, ignoring: options.excluded, readers: options.readers,
                limits: options.limits.reading)
        } catch {
            throw IngestionError(.usage, error.message)
        }
    }

    /// Opens a list. It stays open until the program ends, because it is read while the run goes on.
    private static func open(_ list: FilePath) throws -> FileDescriptor {
        if list == "-" { return .standardInput }
        do {
            return try FileDescriptor.open(list, .readOnly)
        } catch let error as Errno {
            throw IngestionError(.usage, "\(list) cannot be read: \(error); name a readable file that lists the paths")
        }
    }

    /// The inputs for one worker; none at the end.
    ///
    /// - Parameter makeArea: makes a staging area for what must be copied before it can be read.
    /// - Throws: what ``open()`` throws; an error of the container.
    func next(_ makeArea: BatchReader.MakeArea) throws -> [HandedInput] {
        try open()
        let limits = options.limits
        var inputs: [HandedInput] = []
        var bytes: Int64 = 0
        var memory = 0
        while inputs.count < limits.chunkPackages, bytes < limits.chunkBytes, memory < limits.batchMemory,
            let input = try nextInput(makeArea)
        {
            inputs.append(input)
            memory += input.memory
            // A sparse file may state any size; the sum must not overflow.
            bytes += Int64(input.memory) + min(input.fileSize, limits.chunkBytes)
        }
        return inputs
    }

    private func nextInput(_ makeArea: BatchReader.MakeArea) throws -> HandedInput? {
        if let input = try single.take() ?? pipe?.next(makeArea) { return input }
        return walk?.next().map { HandedInput(input: $0) }
    }
}
