internal import Foundation
internal import SystemPackage

/// What lies below a folder, up to a limit: a sink may have made any number of files.
struct FolderListing {
    /// Relative paths, sorted; folders are not among them.
    let names: [String]
    /// The names directly in the folder.
    let top: [String]

    init(_ folder: FilePath, limit: Int = 10_000) {
        var names: [String] = []
        let all = FileManager.default.enumerator(atPath: folder.string)
        while names.count < limit, let name = all?.nextObject() as? String {
            let type = all?.fileAttributes?[.type] as? FileAttributeType
            if type != .typeDirectory { names.append(name) }
        }
        self.names = names.sorted()
        top = ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []).sorted()
    }
}
