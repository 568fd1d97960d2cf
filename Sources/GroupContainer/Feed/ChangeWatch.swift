internal import CFileSystem
public import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Wakes whoever waits for changes of a container, also those that another process makes. Nothing is polled.
///
/// Watch first, read then, wait at last: a change that is committed after the watch began ends the next ``wait()`` at
/// once. What woke it may be a change that was read meanwhile, so that one reads again, finds nothing, and waits again.
///
/// One thread waits; any may ``stop()`` it.
public final class ChangeWatch: Sendable {
    private let folder: FilePath
    private let output: FileDescriptor?
    private let watch: FileDescriptor
    private let stopping: (end: FileDescriptor, signal: FileDescriptor)

    /// Begins to watch.
    ///
    /// - Parameter output: a pipe or terminal that the changes are for, not owned; where nobody reads it any more, the
    ///   wait ends.
    /// - Throws: ``ContainerError`` where the container's folder `run` may not be read, or the system cannot wait for
    ///   changes of files.
    public init(_ layout: ContainerLayout, output: FileDescriptor? = nil) throws(ContainerError) {
        folder = layout.run
        self.output = output
        let descriptor = layout.run.withPlatformString { cfilesystem_watch($0) }
        guard descriptor >= 0 else {
            throw errno == ENOSYS
                ? ContainerError(.system, "this system cannot wait for changes; ask again later, with the last cursor")
                : ContainerError(Errno(rawValue: errno), "watching", layout.run)
        }
        watch = FileDescriptor(rawValue: descriptor)
        do {
            let pipe = try FileDescriptor.pipe()
            stopping = (pipe.readEnd, pipe.writeEnd)
        } catch {
            try? watch.close()
            throw ContainerError(error as? Errno ?? .ioError, "watching", layout.run)
        }
        for end in [stopping.end, stopping.signal] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        for descriptor in [watch, stopping.end, stopping.signal] { try? descriptor.close() }
    }

    /// Blocks its thread until something is committed; `false` where it was stopped, now or before, or nobody reads the
    /// output any more.
    ///
    /// - Throws: ``ContainerError`` where the watched folder was removed.
    public func wait() throws(ContainerError) -> Bool {
        var sources = [watch, stopping.end].map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        // No event is asked for: that its other end is gone is told unasked.
        if let output { sources.append(pollfd(fd: output.rawValue, events: 0, revents: 0)) }
        while true {
            guard poll(&sources, nfds_t(sources.count), -1) >= 0 else {
                guard errno == EINTR else { throw ContainerError(Errno(rawValue: errno), "watching", folder) }
                continue
            }
            guard sources.dropFirst().allSatisfy({ $0.revents == 0 }) else { return false }
            switch cfilesystem_watch_take(watch.rawValue, ContainerLayout.changesName) {
            case 1: return true
            case 0: continue
            default: throw ContainerError(Errno(rawValue: errno), "watching", folder)
            }
        }
    }

    /// Ends the wait under way, and all that come after it.
    public func stop() { _ = try? stopping.signal.writeAll([0]) }
}
