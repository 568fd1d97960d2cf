public import ShareModel
public import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A regular file, opened once. Closed when the value ends.
public struct OpenedFile: ~Copyable {
    /// For reading, at where ``read(into:)`` goes on; to be used while the value lives, and not to be closed.
    public let descriptor: FileDescriptor
    /// In bytes, when it was opened. What is read may be more or less.
    public var size: Int64 { stamp.size }
    /// When it was opened.
    public let stamp: SourceStamp
    private let name: String
    /// Whether nothing of it lies on a disk. Where such a file has fewer bytes than its size says, that was made up.
    private let isVirtual: Bool

    /// Takes over a descriptor; closes it and throws unless it is a regular file.
    init(_ descriptor: FileDescriptor, name: String) throws(UnpackingError) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else {
            let failure = Errno(rawValue: errno)
            try? descriptor.close()
            throw UnpackingError(failure, on: name)
        }
        guard case .file = Directory.EntryKind(mode: status.st_mode) else {
            try? descriptor.close()
            throw UnpackingError(.refused, "\(name) is not a regular file; only files are taken in")
        }
        self.descriptor = descriptor
        self.name = name
        stamp = SourceStamp(status)
        isVirtual = status.st_blocks == 0
    }

    deinit { try? descriptor.close() }

    /// Reads on into `buffer`: the number of bytes, 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(UnpackingError) -> Int {
        do {
            return try descriptor.read(into: buffer)
        } catch let failure as Errno {
            throw UnpackingError(failure, on: name)
        } catch {
            throw UnpackingError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    /// Goes back to the first byte.
    func rewind() throws(Errno) {
        guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Asks, after the last byte, whether the file stood still: the same size and times as when it was opened.
    ///
    /// - Returns: its stamp; `nil` where it cannot be known again by one, as its size tells nothing or it was renamed.
    /// - Throws: with code `changed` when it did not, or when `count` bytes are not what its size promised.
    @discardableResult
    public func checkUnchanged(afterReading count: Int64) throws(UnpackingError) -> SourceStamp? {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw UnpackingError(Errno(rawValue: errno), on: name) }
        // A size of 0 that yields bytes is how some file systems say "unknown": nothing to compare with.
        let isExpected = size == 0 || size == count || (isVirtual && count < size)
        let now = SourceStamp(status)
        guard isExpected, now.size == stamp.size, now.modified == stamp.modified else {
            throw UnpackingError(.changed, "\(name) changed while it was read; run again once it is written")
        }
        return now == stamp && size == count ? now : nil
    }
}
