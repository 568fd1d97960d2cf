internal import Subprocess

/// The last words of a sink's standard error: read to the end, kept in fixed memory.
enum LogTail {
    /// How much is kept, in bytes.
    static let limit = 2_000

    static func collect(_ output: SubprocessOutputSequence) async -> String {
        var tail: [UInt8] = []
        do {
            for try await buffer in output {
                tail += buffer.withUnsafeBytes { Array($0.suffix(limit)) }
                if tail.count > limit { tail.removeFirst(tail.count - limit) }
            }
        } catch {
            // The log of a sink that was killed may end in an error; what came before is all there is.
        }
        return String(decoding: tail, as: UTF8.self).trimmed
    }
}
