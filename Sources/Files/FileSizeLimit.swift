internal import Glibc
package import SystemPackage

/// The largest file that this process may write.
package enum FileSizeLimit {
    /// The limit and its remedy, after "larger than": `a file may be here: 1048576 bytes (ulimit -f); raise …`.
    package static var text: String {
        guard let bytes else {
            return "a file may be on the container's file system; move the container to another one"
        }
        return "a file may be here: \(bytes) bytes (ulimit -f); raise that limit and run again"
    }

    /// The limit of the process in bytes, if one of the files can hardly grow below it; otherwise `nil`.
    ///
    /// - Parameters:
    ///   - files: a missing file counts as an empty one.
    ///   - step: the number of bytes by which a file grows at once.
    package static func reached(by files: [FilePath], growing step: Int64) -> UInt64? {
        guard let bytes else { return nil }
        let isNear = files.contains { file in
            // Only the wording of an error depends on this, so a file without a status counts as an empty one.
            let size = (try? SystemFileSystem.system.status(of: file))?.size ?? 0
            return UInt64(max(0, size)) + UInt64(step) > bytes
        }
        return isNear ? bytes : nil
    }

    /// The limit of the process in bytes, RLIMIT_FSIZE of getrlimit(2); `nil` if only the file system has one.
    private static var bytes: UInt64? {
        var limit = rlimit()
        // The largest number stands for no limit.
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int64.max)
        else { return nil }
        return UInt64(limit.rlim_cur)
    }
}
