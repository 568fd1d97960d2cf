internal import GroupContainer
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
