internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A pipe whose ends no other child of this process can inherit, not even one that is started at this very moment.
struct ProbePipe {
    let reading: FileDescriptor
    let writing: FileDescriptor

    /// - Parameter path: a name that it has for a moment: unlike `pipe`, opening one can close it on exec at once.
    init(at path: FilePath) throws {
        guard mkfifo(path.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        defer { unlink(path.string) }
        reading = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
        do {
            writing = try FileDescriptor.open(path, .writeOnly, options: [.nonBlocking, .closeOnExec])
        } catch {
            try? reading.close()
            throw error
        }
    }

    func close() {
        try? reading.close()
        try? writing.close()
    }

    /// For the ends that another program gets: few expect a read that does not wait.
    static func makeBlocking(_ descriptors: [FileDescriptor]) throws {
        for descriptor in descriptors {
            let flags = fcntl(descriptor.rawValue, F_GETFL)
            guard flags >= 0, fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
                throw Errno(rawValue: errno)
            }
        }
    }
}
