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
    public let size: Int64
    private let stamp: Stamp
    private let name: String

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
        size = Int64(status.st_size)
        stamp = Stamp(status)
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

    /// Asks, after the last byte, whether the file stood still: the same size and times as when it was opened.
    ///
    /// - Throws: with code `changed` when it did not, or when `count` bytes are not what its size promised.
    public func checkUnchanged(afterReading count: Int64) throws(UnpackingError) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw UnpackingError(Errno(rawValue: errno), on: name) }
        // A size of 0 that yields bytes is how some file systems say "unknown": nothing to compare with.
        let isExpected = size == 0 || size == count
        guard isExpected, Stamp(status) == stamp else {
            throw UnpackingError(.changed, "\(name) changed while it was read; run again once it is written")
        }
    }

    private struct Stamp: Equatable {
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            size = Int64(status.st_size)
            #if canImport(Darwin)
            seconds = status.st_mtimespec.tv_sec
            nanoseconds = status.st_mtimespec.tv_nsec
            #else
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
            #endif
        }
    }
}
