internal import GroupContainer
internal import ShareModel
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Names one run of a program over a container.
enum Run {
    static func identifier() -> String { UUID().uuidString.lowercased() }
}

/// Where this program lies, links resolved: its sinks are found from there.
enum ProgramPath {
    static var current: FilePath {
        #if os(Linux)
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
        let path = Bundle.main.executablePath
        #endif
        return FilePath(path ?? CommandLine.arguments.first ?? "")
    }
}

/// Deliveries as they end, counted.
actor DeliveryCount {
    private(set) var total = Summary.Deliveries()

    func add(_ record: DeliveryRecord) { total.add(record.outcome) }
}

/// A place for staged bytes that nobody will keep; gone with the value.
final class TemporaryFolder {
    let objects: any ObjectStore
    private let path: FilePath

    init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.appending(path: "sluice-\(Run.identifier())").path)
        objects = try Container.scratch(path)
    }

    deinit { try? FolderTree.remove(path) }
}
