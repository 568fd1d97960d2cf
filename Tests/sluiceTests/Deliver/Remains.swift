import Foundation

/// Running processes that a test left behind. Their arguments, environment or mounts name the test's folder.
enum Remains {
    static func of(_ folder: TestFolder) -> [String] {
        guard let name = folder.path.lastComponent?.string else { return [] }
        return Disk.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { process in
            let texts = ["cmdline", "environ", "mountinfo"].map { text("/proc/\(process)/\($0)") }
            guard texts.contains(where: { $0.contains(name) }) else { return nil }
            return "\(process): \(texts[0].replacingOccurrences(of: "\0", with: " "))"
        }
    }

    /// Waits until no such process runs, for at most 30 seconds.
    ///
    /// - Returns: the processes that still run.
    static func wait(_ folder: TestFolder) -> [String] {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if of(folder).isEmpty { return [] }
            sched_yield()
        }
        return of(folder)
    }

    /// The content of a file in `/proc`; empty if its process has ended meanwhile.
    private static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
