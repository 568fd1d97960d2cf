internal import Glibc

/// The abilities of the running kernel.
enum Kernel {
    /// Whether a user namespace counts only its own processes, as Linux does since 5.14. An older kernel counts all
    /// processes of the user, so a limit could prevent the sink's first process.
    static let countsProcessesByNamespace: Bool = {
        var names = utsname()
        guard uname(&names) == 0 else { return false }
        let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 14)
    }()
}
