internal import CFileSystem
internal import Glibc
internal import ShareModel
package import SystemPackage

/// Wakes a thread when a file in a folder is written or removed, also by another process. It does not poll.
///
/// Watch first, then read, then wait. A write after the watch began ends the next ``wait()`` at once, so no write is missed.
/// A wait may end for a write that was read already. The reader then finds nothing new and waits again.
///
/// One thread waits; any thread may ``stop()`` it.
package final class FileWatch: Sendable {
    private let folder: FilePath
    private let name: String
    private let closed: String?
    private let output: FileDescriptor?
    private let watch: FileDescriptor
    private let stopping: PipeEnds

    /// Begins to watch the file `name` in a folder.
    ///
    /// - Parameters:
    ///   - parent: the folder above the folder. A wait ends when one of both is removed or moved.
    ///   - closed: the name of a file in the folder. A wait ends when a process closes this file, or dies with it open.
    ///   - output: a pipe or terminal, not owned. A wait ends when no reader is left at its other end.
    /// - Throws: ``FileError`` if the folder may not be read or the system cannot watch files.
    package init(
        _ folder: FilePath, name: String, orMoved parent: FilePath? = nil, orClosed closed: String? = nil,
        output: FileDescriptor? = nil
    ) throws(FileError) {
        self.folder = folder
        self.name = name
        self.closed = closed
        self.output = output
        let closings: CInt = closed == nil ? 0 : 1
        let descriptor = folder.withPlatformString { folder -> CInt in
            guard let parent else { return cfilesystem_watch(folder, nil, closings) }
            return parent.withPlatformString { cfilesystem_watch(folder, $0, closings) }
        }
        guard descriptor >= 0 else {
            throw errno == ENOSYS
                ? FileError(.system, "this system cannot wait for changes; read again later, from the last cursor")
                : FileError(Errno(rawValue: errno), "watching", folder)
        }
        watch = FileDescriptor(rawValue: descriptor)
        do throws(Errno) {
            stopping = try PipeEnds()
        } catch {
            try? watch.close()
            throw FileError(error, "watching", folder)
        }
    }

    deinit {
        try? watch.close()
        stopping.close()
    }

    /// Blocks its thread until the file is written.
    ///
    /// - Returns: `false` if the watch was stopped, or if no reader of `output` is left.
    /// - Throws: ``FileError`` if the watched folder was removed.
    package func wait() throws(FileError) -> Bool { try wake() == .written }

    /// The reason for the end of a wait.
    package enum Wake {
        case written
        case timedOut
        /// The watch was stopped, or no reader of the output is left.
        case stopped
    }

    /// Blocks its thread until the file is written, or for a time.
    ///
    /// - Parameter time: `nil` for no limit.
    /// - Throws: ``FileError`` if the watched folder was removed.
    package func wake(atMost time: Duration? = nil) throws(FileError) -> Wake {
        let deadline = time.map { ContinuousClock.now + $0 }
        var sources = [watch, stopping.readEnd].map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        // `poll` reports a closed other end even for no events.
        if let output { sources.append(pollfd(fd: output.rawValue, events: 0, revents: 0)) }
        while true {
            let rest = deadline.map { max(($0 - .now).milliseconds + 1, 0) } ?? -1
            let count = poll(&sources, nfds_t(sources.count), Int32(min(rest, Int64(Int32.max))))
            if count == 0 { return .timedOut }
            guard count > 0 else {
                guard errno == EINTR else { throw FileError(Errno(rawValue: errno), "watching", folder) }
                continue
            }
            guard sources.dropFirst().allSatisfy({ $0.revents == 0 }) else { return .stopped }
            switch cfilesystem_watch_take(watch.rawValue, name, closed) {
            case 1: return .written
            case 0: continue
            default: throw FileError(Errno(rawValue: errno), "watching", folder)
            }
        }
    }

    /// The descriptor that is readable after an event. The watch owns it.
    package var descriptor: FileDescriptor { watch }

    /// Ends the current wait and all later ones.
    package func stop() { _ = try? stopping.writeEnd.writeAll([0]) }
}
