import SystemPackage

/// Words that a POSIX shell reads back as they were. POSIX.1-2024, Shell Command Language, section 2.2.2.
enum ShellQuote {
    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@%,".utf8)

    static func quote(_ path: FilePath) -> String {
        let bytes = path.bytes
        let text = SafeText.escape(bytes: bytes)
        if !bytes.isEmpty, bytes.allSatisfy(bare.contains) { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
