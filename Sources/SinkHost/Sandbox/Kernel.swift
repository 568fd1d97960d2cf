internal import Glibc

/// What the system's kernel can do.
enum Kernel {
    /// Whether a user namespace counts its own processes alone, as Linux does since 5.14. Before, the limit of processes
    /// counts all that the user runs, and would refuse a sink its first one.
    static let countsProcessesByNamespace: Bool = {
        var names = utsname()
        guard uname(&names) == 0 else { return false }
        let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 14)
    }()
}
