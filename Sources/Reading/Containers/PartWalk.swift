internal import ShareModel
internal import SystemPackage

/// The parts of a container and of all containers inside it, depth first, as one run.
///
/// A part that is a container itself does not appear: its own parts do, in its place. The same bytes always yield the
/// same run, so that the number of a part names it in a later pass.
final class PartWalk: OpenedContainer {
    private struct Level {
        let container: any OpenedContainer
        /// The path of the container in the outermost one.
        let path: FilePath
        var part: CountedPart?
    }

    private let readers: [any ContainerReader]
    private let budget: ReadingBudget
    private let check: () throws(ReadingError) -> Void
    private let outermost: any OpenedContainer
    private var levels: [Level]
    private var current: PeekableStream?

    /// - Parameter check: throws if the container's file changed; called at the end of each part and of the walk.
    init(
        _ container: any OpenedContainer, readers: [any ContainerReader], budget: ReadingBudget,
        check: @escaping () throws(ReadingError) -> Void
    ) {
        outermost = container
        self.readers = readers
        self.budget = budget
        self.check = check
        budget.enter()
        levels = [Level(container: container, path: FilePath())]
    }

    func next() throws(ReadingError) -> ContainerPart? {
        current = nil
        while let level = levels.last {
            do throws(ReadingError) {
                if let part = try advance(level) { return part }
            } catch {
                // A limit ends the whole input. An inner container that is broken fails alone.
                guard levels.count > 1, error.code != .limit else { throw error }
                pop()
                return failed(level.path, error)
            }
        }
        try check()
        return nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard let current else { return 0 }
        let count = try current.read(into: buffer)
        if count == 0 { try check() }
        return count
    }

    func items(of parts: [ContainerPart], _ references: [PartReference]) -> [ExtensionItem] {
        outermost.items(of: parts, references)
    }

    /// The next part of the innermost container; `nil` if the walk entered or left a container instead.
    private func advance(_ level: Level) throws(ReadingError) -> ContainerPart? {
        try level.part?.drain()
        guard var part = try level.container.next() else {
            pop()
            return nil
        }
        try budget.countPart()
        part.path = level.path.appending(part.path.components)
        let counted = try CountedPart(part, of: level.container, budget)
        // The part is set before it is tried, so that the next call drains it also if a reader throws.
        levels[levels.count - 1].part = counted
        let stream = try PeekableStream(counted)
        do throws(ReadingError) {
            guard let inner = try open(stream, part.path) else {
                current = stream
                return part
            }
            budget.enter()
            levels.append(Level(container: inner, path: part.path))
            return nil
        } catch {
            guard error.code != .limit else { throw error }
            return failed(part.path, error)
        }
    }

    /// Opens a part that is a container; `nil` if it is not one, or if it lies too deep and so stays whole.
    private func open(_ stream: PeekableStream, _ path: FilePath) throws(ReadingError) -> (any OpenedContainer)? {
        guard budget.canEnter else { return nil }
        for reader in readers {
            if let container = try reader.open(stream, path: path) { return container }
        }
        return nil
    }

    private func pop() {
        levels.removeLast()
        budget.leave()
    }

    private func failed(_ path: FilePath, _ error: ReadingError) -> ContainerPart {
        var part = ContainerPart(path: path)
        part.failure = error
        return part
    }
}

/// A part whose bytes count against the budget, and which must be as long as its container declares.
private final class CountedPart: ByteStream {
    private let container: any OpenedContainer
    private let part: ContainerPart
    private let budget: ReadingBudget
    private var count: Int64 = 0
    private var isAtEnd = false

    init(_ part: ContainerPart, of container: any OpenedContainer, _ budget: ReadingBudget) throws(ReadingError) {
        (self.part, self.container, self.budget) = (part, container, budget)
        guard let size = part.size else { return }
        guard size >= 0 else { throw ReadingError(.malformed, "\(part.path) has a negative size") }
        // A declared size counts before it is read: to skip a part may cost as much as to read it.
        try budget.count(bytes: size)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard !isAtEnd else { return 0 }
        let read = try container.read(into: buffer)
        count += Int64(read)
        isAtEnd = read == 0
        if let size = part.size {
            guard count <= size, !isAtEnd || count == size else {
                throw ReadingError(
                    .malformed,
                    "\(part.path) has other than the \(size) bytes that its container declares; get it again")
            }
        } else {
            try budget.count(bytes: Int64(read))
        }
        return read
    }

    /// Reads the rest of a part of undeclared size, so that what is skipped counts too.
    func drain() throws(ReadingError) {
        guard part.size == nil, !isAtEnd else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while try read(into: buffer) > 0 {}
    }
}
