internal import GroupContainer
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What one process of a sink under test sees: `in/` and `out/`, where each delivery has a folder of its own.
struct ProbeFolder {
    let root: FilePath
    let launch: SinkLaunch

    /// What a sink without a sandbox, or its host, has there besides.
    private static let known: Set<String> = ["in", "out", "tmp", "passwd", "group"]

    /// - Parameter launch: how the process is started with this folder.
    init(_ root: FilePath, launch: (FilePath) throws -> SinkLaunch) throws {
        self.root = root
        for name in ["in", "out"] { try FolderTree.make(root.appending(name)) }
        self.launch = try launch(root)
    }

    func content(_ number: Int) -> FilePath { root.appending("in").appending("\(number)") }
    func out(_ number: Int) -> FilePath { root.appending("out").appending("\(number)") }

    /// Makes a folder that the sink may enter.
    func make(_ folder: FilePath) throws {
        try FolderTree.make(folder)
        try launch.give(folder)
    }

    /// Makes a file that the sink may read, and gives its path as the sink sees it.
    func write(_ bytes: [UInt8], to file: FilePath) throws -> String {
        try Data(bytes).write(to: URL(filePath: file.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.string)
        try launch.give(file)
        return launch.inside(file).string
    }

    /// Whatever lies where neither the host nor the sink has put anything by right.
    func strangers() -> [String] {
        FolderListing(root).top.filter { !Self.known.contains($0) }
            + FolderListing(root.appending("out")).top.filter { Int($0) == nil }
    }
}
