import Foundation
import SystemPackage
import Testing

/// A folder for one test; it is removed with the value.
final class TestFolder: Sendable {
    let path: FilePath

    /// - Parameter inMemory: whether to use a file system in memory, if there is one. For tests whose syncs prove
    /// nothing.
    init(inMemory: Bool = false) throws {
        let name = "sluice-test-\(UUID().uuidString)"
        let memory = "/dev/shm"
        let isFast = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isFast ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        // The real path, because on some systems the temporary folder is a link.
        path = FilePath(parent.resolvingSymlinksInPath().path).appending(name)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// The path of an entry.
    subscript(_ relative: String) -> FilePath { path.appending(relative) }

    /// Writes a file and makes the folders above it.
    @discardableResult
    func write(_ relative: String, _ bytes: some Sequence<UInt8>, mode: Int = 0o644) throws -> FilePath {
        let file = self[relative]
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        if mode & 0o111 == 0 {
            try Data(bytes).write(to: URL(filePath: file.string))
        } else {
            try writeElsewhere(Data(bytes), to: file)
        }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.string)
        return file
    }

    /// Another process writes the program. A file that this process writes could be open in a forked child, and the
    /// system refuses to start a program that is open for writing ("Text file busy").
    private func writeElsewhere(_ bytes: Data, to file: FilePath) throws {
        let source = path.appending("\(UUID().uuidString).program")
        try bytes.write(to: URL(filePath: source.string))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/cp")
        process.arguments = [source.string, file.string]
        try process.run()
        process.waitUntilExit()
        try FileManager.default.removeItem(atPath: source.string)
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @discardableResult
    func write(_ relative: String, _ text: String, mode: Int = 0o644) throws -> FilePath {
        try write(relative, text.utf8, mode: mode)
    }

    /// Writes a share with one item of these attachments, each a JSON object.
    func share(_ name: String, id: String? = nil, title: String? = nil, _ attachments: String...) throws {
        let quoted = { (key: String, text: String?) in text.map { "\"\(key)\": \"\($0)\", " } ?? "" }
        try write(
            "\(name).share/share.json",
            """
            {"version": 1, \(quoted("id", id))"items": [{\(quoted("title", title))"attachments": \
            [\(attachments.joined(separator: ", "))]}]}
            """)
    }
}

/// Access to the files below a folder.
enum Disk {
    /// The paths of all files, relative to the folder, sorted.
    static func files(below folder: FilePath) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.string)?.compactMap { $0 as? String } ?? []
        return all.filter { !isFolder(folder.appending($0)) }.sorted()
    }

    /// The names in a folder, sorted; none where it is missing.
    static func names(in folder: FilePath) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []).sorted()
    }

    /// The number of entries in the subfolders of a folder; fast enough to poll.
    static func countGrandchildren(of folder: FilePath) -> Int {
        names(in: folder).reduce(0) { $0 + names(in: folder.appending($1)).count }
    }

    static func bytes(_ path: FilePath) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path.string))) }

    static func mode(_ path: FilePath) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// The values that change when a file is written or replaced: inode, size, and the times of its content and its
    /// inode.
    static func stamp(_ path: FilePath) throws -> [Int64] {
        var status = stat()
        guard lstat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
        let (content, inode) = (status.st_mtim, status.st_ctim)
        return [
            Int64(status.st_ino), Int64(status.st_size), Int64(content.tv_sec), Int64(content.tv_nsec),
            Int64(inode.tv_sec), Int64(inode.tv_nsec),
        ]
    }

    /// Changes the first byte of a file through a memory mapping. Some file systems, above all those in memory, leave all
    /// of its times as they were.
    static func changeThroughMapping(_ path: FilePath) throws {
        let file = try FileDescriptor.open(path, .readWrite)
        try file.closeAfter {
            let size = Int(try file.seek(offset: 0, from: .end))
            let map = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0))
            map.storeBytes(of: ~map.load(as: UInt8.self), as: UInt8.self)
            munmap(map, size)
        }
    }

    private static func isFolder(_ path: FilePath) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path.string)[.type] as? FileAttributeType
        return type == .typeDirectory
    }
}
