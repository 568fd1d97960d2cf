internal import ShareModel
internal import SystemPackage

/// Opens the parts of one package's container, each once and as a stream.
///
/// Parts are cheapest in the container's order: then one pass reads all of them. A part before the last one costs
/// another pass, because a container need not be able to go back.
final class PartOpener {
    private let source: any PartSource
    private let limits: ReadingLimits
    private var container: (any OpenedContainer)?
    /// The number of the part that the container yields next.
    private var place = 0
    private var passes = 0
    private var opened: Set<Int> = []
    /// Where the container broke, and why.
    private var end: (place: Int, error: ReadingError)?

    init(_ source: any PartSource, limits: ReadingLimits) {
        self.source = source
        self.limits = limits
    }

    /// Opens a part. The part opened before it ends.
    ///
    /// - Throws: with code `refused` at the second opening of one part.
    func open(_ part: PartReference) throws(ReadingError) -> OpenedPart {
        guard opened.insert(part.index).inserted else {
            throw ReadingError(.refused, "\(part.path) is a part that was read already, and a part can be read once")
        }
        if let end, part.index >= end.place { throw end.error }
        if container == nil || part.index < place { try begin() }
        while let next = try advance() {
            guard place > part.index else { continue }
            if let failure = next.failure { throw failure }
            guard next.path == part.path, let container else { break }
            return OpenedPart(next, of: container, number: part.index, opener: self)
        }
        throw ReadingError(.changed, "\(part.path) is not in its container any more; run again")
    }

    private func begin() throws(ReadingError) {
        passes += 1
        guard passes <= limits.containerPasses else {
            throw ReadingError(
                .limit,
                "the container's parts were needed in an order that takes more than \(limits.containerPasses) passes")
        }
        (container, place) = (try source.open(), 0)
    }

    private func advance() throws(ReadingError) -> ContainerPart? {
        do throws(ReadingError) {
            let next = try container?.next()
            place += 1
            return next
        } catch {
            // A broken container is not used again, and not opened again for what lies behind the break.
            (container, end) = (nil, (place, error))
            throw error
        }
    }

    /// Whether the part is the one that the container has open.
    fileprivate func isCurrent(_ number: Int) -> Bool { container != nil && place == number + 1 }
}

/// A part of a container, opened for its only reading.
package struct OpenedPart: ~Copyable {
    /// In bytes, as the container declares it; `nil` if it declares none.
    package let size: Int64?
    private let path: FilePath
    private let container: any OpenedContainer
    private let number: Int
    private let opener: PartOpener

    fileprivate init(
        _ part: ContainerPart, of container: any OpenedContainer, number: Int, opener: PartOpener
    ) {
        size = part.size
        path = part.path
        (self.container, self.number, self.opener) = (container, number, opener)
    }

    /// Reads on into `buffer`.
    ///
    /// - Returns: the number of bytes; 0 at the end, after which the part is known to be whole.
    /// - Throws: if the container is broken here, or another part of it was opened meanwhile.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        guard opener.isCurrent(number) else {
            throw ReadingError(.refused, "\(path) is a part that ended when another part was opened")
        }
        return try container.read(into: buffer)
    }
}
