internal import SystemPackage

/// How much of one input may still be unpacked. One budget serves a container and all containers inside it.
final class ReadingBudget {
    private let limits: ReadingLimits
    private let input: FilePath
    private var depth = 0
    private var parts = 0
    private var bytes: Int64 = 0

    /// - Parameter input: the outermost container, for errors.
    init(_ limits: ReadingLimits, of input: FilePath) {
        self.limits = limits
        self.input = input
    }

    /// Whether another container may be opened inside of the current one.
    var canEnter: Bool { depth < limits.containerDepth }

    /// Goes into a container.
    func enter() { depth += 1 }

    /// Comes out of the innermost container.
    func leave() { depth -= 1 }

    /// Counts a part.
    ///
    /// - Throws: with code `limit`, as ``count(bytes:)`` does.
    func countPart() throws(ReadingError) {
        parts += 1
        guard parts <= limits.containerParts else {
            throw ReadingError(
                .limit, "\(input) contains more than \(limits.containerParts) parts; unpack it and share its files")
        }
    }

    func count(bytes count: Int64) throws(ReadingError) {
        let (sum, isTooLarge) = bytes.addingReportingOverflow(count)
        guard !isTooLarge, sum <= limits.containerBytes else {
            throw ReadingError(
                .limit, "\(input) unpacks to more than \(limits.containerBytes) bytes; unpack it and share its files")
        }
        bytes = sum
    }
}
