import Foundation

/// Processes that are still there and have to do with a folder: by their arguments, their environment, or, in a sandbox of
/// their own, by what is mounted there.
enum Remains {
    static func of(_ folder: TestFolder) -> [String] {
        guard let name = folder.path.lastComponent?.string else { return [] }
        return Disk.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { process in
            let texts = ["cmdline", "environ", "mountinfo"].map { text("/proc/\(process)/\($0)") }
            guard texts.contains(where: { $0.contains(name) }) else { return nil }
            return "\(process): \(texts[0].replacingOccurrences(of: "\0", with: " "))"
        }
    }

    /// Waits until nobody is left, for a time that is long enough on any machine; gives those who are left then.
    static func wait(_ folder: TestFolder) -> [String] {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if of(folder).isEmpty { return [] }
            sched_yield()
        }
        return of(folder)
    }

    /// Empty for a process that has ended meanwhile.
    private static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
