internal import CFileSystem
internal import Glibc
package import SystemPackage

/// The program that a process runs.
package enum ProcessImage {
    /// Continues as another program: in the same process, with the same environment and standard streams.
    ///
    /// - Parameter descriptors: further open files that the program gets.
    /// - Throws: `Errno` if the program cannot be started. Then nothing has changed.
    package static func become(
        _ program: FilePath, _ arguments: [String], keeping descriptors: [FileDescriptor]
    ) throws(Errno) -> Never {
        let words: [UnsafeMutablePointer<CChar>?] = ([program.string] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let flags = descriptors.map { fcntl($0.rawValue, F_GETFD) }
        for descriptor in descriptors { _ = fcntl(descriptor.rawValue, F_SETFD, 0) }
        execv(program.string, words)
        let error = Errno(rawValue: errno)
        for (descriptor, flags) in zip(descriptors, flags) { _ = fcntl(descriptor.rawValue, F_SETFD, flags) }
        throw error
    }

    /// The folder of the Swift libraries that are a part of this program; `nil` if it loads them, or the folder is not there.
    package static var linkedRuntime: FilePath? {
        let folder = FilePath(platformString: cfilesystem_swift_runtime())
        return folder.isEmpty ? nil : folder.real
    }

    /// Keeps an open file that another program of this process left from the programs that this one starts.
    package static func adopt(_ descriptor: FileDescriptor) { _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
}
