import ShareModel
import SystemPackage

/// Quotes a path for a POSIX shell. The shell reads back the same bytes, and a terminal can show the word safely.
/// Source: POSIX.1-2024, Shell Command Language, sections 2.2.2 and 2.2.4.
enum ShellQuote {
    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@%,".utf8)

    static func quote(_ path: FilePath) -> String {
        let bytes = path.bytes
        let runs = UTF8Runs(bytes: bytes).runs
        if !bytes.isEmpty, bytes.allSatisfy(bare.contains) { return String(decoding: bytes, as: UTF8.self) }
        if runs.allSatisfy({ if case .text(let text) = $0 { SafeText.isSafe(text) } else { false } }) {
            // POSIX.1-2017 has no dollar-single-quotes, so older shells cannot read them.
            // Scalars, because a quotation mark and a combining mark after it are one `Character`.
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            return "'" + scalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
        }
        return "$'" + runs.map(escaped).joined() + "'"
    }

    /// The content between dollar-single-quotes.
    ///
    /// An octal escape always has three digits: after a shorter one, the shell would read a following digit as part of
    /// it.
    private static func escaped(_ run: UTF8Runs.Run) -> String {
        switch run {
        case .bytes(let bytes): bytes.map(octal).joined()
        case .text(let text):
            text.unicodeScalars.map { scalar in
                if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
                return SafeText.isSafe(String(scalar)) ? String(scalar) : String(scalar).utf8.map(octal).joined()
            }.joined()
        }
    }

    private static func octal(_ byte: UInt8) -> String { "\\" + byte.padded(to: 3, radix: 8) }
}
