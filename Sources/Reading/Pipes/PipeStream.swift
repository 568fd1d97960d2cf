internal import Files
internal import ShareModel
package import SystemPackage

/// A pipe, or another file that is read once, as a stream. A reading of a cancelled task fails, so the caller checks for
/// that before it believes an error.
package final class PipeStream: ByteStream {
    private let descriptor: FileDescriptor
    private let name: String

    /// - Parameter descriptor: the caller closes it, after the last reading.
    package init(_ descriptor: FileDescriptor, name: String = PipeBeginning.name) {
        self.descriptor = descriptor
        self.name = name
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        do {
            return try descriptor.readUntilCancelled(into: buffer)
        } catch {
            throw ReadingError(.unreadable, "\(name) cannot be read: \(error); send it again")
        }
    }
}
