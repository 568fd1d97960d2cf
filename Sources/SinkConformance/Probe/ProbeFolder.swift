internal import Files
internal import SinkHost
internal import SystemPackage

/// The work folder of one process of a tested sink: `in/` and `out/`, in which each delivery has its own folder.
struct ProbeFolder {
    let work: WorkFolder

    /// The known entries: also files of the host, and the scratch folder of a sink without a sandbox.
    private static let known: Set<FilePath.Component> = ["in", "out", "tmp", "passwd", "group"]

    func content(_ number: Int) -> FilePath { work.root.appending("in").appending("\(number)") }

    /// Makes a folder that the sink may enter.
    func make(_ folder: FilePath) throws {
        try work.fileSystem.ensureFolders(folder)
        try work.launch.give(folder)
    }

    /// Makes a file that the sink may read.
    ///
    /// - Returns: its path as the sink sees it.
    func write(_ bytes: [UInt8], to file: FilePath) throws -> String {
        try SmallFile.write(bytes, to: file, mode: .ownerRead, on: work.fileSystem)
        try work.launch.give(file)
        return work.launch.inside(file).string
    }

    /// The entries that neither the host made nor the sink may make.
    func strangers() -> [String] {
        let beside = FolderListing.top(of: work.root).filter { !Self.known.contains($0) }
        return (beside + FolderListing.top(of: work.root.appending("out")).filter { Int($0.string) == nil })
            .map(\.string)
    }
}
