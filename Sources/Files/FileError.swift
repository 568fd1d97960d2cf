package import ShareModel
package import SystemPackage

/// The failure of a call to the disk.
package struct FileError: ExplainedError {
    /// The kinds of failure that a caller can act upon.
    package enum Code: Sendable {
        /// No space, no inodes or no quota is left.
        case full
        /// The file system is mounted read-only.
        case readOnly
        /// The system denies this user the call.
        case denied
        /// Something other than a folder has a folder's name.
        case notAFolder
        /// A file is longer than the reader's limit.
        case tooLong
        /// A file would be larger than this process may write, or than the file system allows.
        case tooLarge
        /// Any other failure of the system.
        case system
    }

    package var code: Code
    /// Names the call, the path and the system's reason.
    package var message: String
    /// Whether the user's quota is used up, although the disk may have room.
    package var isQuota = false

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameter doing: the call as a gerund, such as `opening`.
    package init(_ number: Errno, _ doing: String, _ path: FilePath) {
        let code: Code =
            switch number {
            case .noSpace, .diskQuotaExceeded: .full
            case .fileTooLarge: .tooLarge
            case .readOnlyFileSystem: .readOnly
            case .permissionDenied, .notPermitted: .denied
            default: .system
            }
        self.init(code, "\(doing) \(path) failed: \(number.description)")
        isQuota = number == .diskQuotaExceeded
    }

    package var remedy: Remedy? {
        switch code {
        case .full: .makeRoom
        case .readOnly: .nameWritableDisk
        case .denied: .nameOwnFolder
        case .notAFolder: .moveAway
        case .tooLong, .tooLarge, .system: nil
        }
    }
}
