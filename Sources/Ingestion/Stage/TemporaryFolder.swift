internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// A store for staged content that is not kept. Its folder is removed with this value.
final class TemporaryFolder {
    let objects: any ObjectStore
    private let path: FilePath

    init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.appending(path: "sluice-\(UniqueName.make())").path)
        objects = try Container.scratch(path, fileSystem: SystemFileSystem.system)
    }

    deinit { try? FolderTree.remove(path) }
}
