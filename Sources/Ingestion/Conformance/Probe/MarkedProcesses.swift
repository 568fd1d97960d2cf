internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
internal import Foundation
#else
internal import Foundation
internal import Glibc
#endif

/// What a sink has started, whatever session or group it has moved to: found by an entry of its environment.
///
/// Only where there is a `/proc`; elsewhere nothing is found.
enum MarkedProcesses {
    /// The living processes whose environment has the entry, with their names.
    static func find(_ mark: String, except own: pid_t) -> [(identifier: pid_t, name: String)] {
        let entry = Array(mark.utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { $0 != own }.compactMap { identifier in
            // One that has ended meanwhile, or is another user's, has none.
            guard let environment = FileManager.default.contents(atPath: "/proc/\(identifier)/environ"),
                environment.split(separator: 0).contains(where: { $0.elementsEqual(entry) })
            else { return nil }
            let name = FileManager.default.contents(atPath: "/proc/\(identifier)/comm") ?? Data()
            return (identifier, String(decoding: name, as: UTF8.self).trimmed)
        }
    }
}
