internal import CFileSystem

/// The memory of this process.
package enum ProcessMemory {
    /// Keeps it out of core dumps, and away from other processes of the user. Call it before the process reads a secret.
    ///
    /// It lasts until the process starts another program. The kernel gives the process's folder in `/proc` to root then; the process
    /// itself still reads it.
    package static func hide() { cfilesystem_hide_memory() }
}
