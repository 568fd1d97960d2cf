import Foundation
import GroupContainer
import ShareModel
import SystemPackage

@testable import Files

/// The content of a folder after a power cut.
struct SurvivingDisk {
    private(set) var folders: Set<String> = []
    private(set) var files: [String: [UInt8]] = [:]
    /// The destinations of symbolic links, by path.
    private(set) var links: [String: String] = [:]

    /// The disk after some of the operations and a power cut.
    init(_ operations: ArraySlice<DiskOperation>, _ survival: Survival) {
        let synced = Self.synced(operations)
        var generator = SeededGenerator(seed: 0)
        if case .chance(let seed) = survival {
            generator = SeededGenerator(seed: seed &+ UInt64(operations.count) << 16)
        }
        let last = operations.lastIndex { if case .write = $0 { true } else { false } }
        var names: [String: Int] = [:]
        var contents: [Int: [UInt8]] = [:]
        for (index, operation) in zip(operations.indices, operations) {
            let isSynced = synced[index - operations.startIndex]
            let isLast = index == last
            let fate = isSynced ? .kept : survival.fate(of: operation, isLast: isLast, &generator)
            apply(operation, fate, &names, &contents)
        }
        var destinations: [Int: String] = [:]
        for case .link(let file, _, let destination) in operations { destinations[file] = destination }
        settle(names, contents, destinations)
    }

    /// For each operation, whether a later sync made it durable.
    private static func synced(_ operations: ArraySlice<DiskOperation>) -> [Bool] {
        var synced = [Bool](repeating: false, count: operations.count)
        var isAll = false
        var files: Set<Int> = []
        var folders: Set<String> = []
        for (place, operation) in operations.enumerated().reversed() {
            switch operation {
            case .syncAll: isAll = true
            case .syncFile(let file): files.insert(file)
            case .syncFolder(let folder): folders.insert(folder)
            case .write(let file, _, _), .truncate(let file, _): synced[place] = isAll || files.contains(file)
            case .create(_, let path), .link(_, let path, _), .move(_, _, let path), .moveFolder(_, let path),
                .remove(let path), .makeFolder(let path):
                synced[place] = isAll || folders.contains(path.parent)
            case .acknowledge: break
            }
        }
        return synced
    }

    private mutating func apply(
        _ operation: DiskOperation, _ fate: Survival.Fate, _ names: inout [String: Int],
        _ contents: inout [Int: [UInt8]]
    ) {
        if case .dropped = fate { return }
        switch operation {
        case .create(let file, let path), .link(let file, let path, _): names[path] = file
        case .move(let file, let source, let target):
            names[target] = file
            if names[source] == file { names[source] = nil }
        case .moveFolder(let source, let target):
            let moved = { (path: String) in
                path == source || path.hasPrefix(source + "/") ? target + path.dropFirst(source.count) : path
            }
            names = Dictionary(names.map { (moved($0.key), $0.value) }) { first, _ in first }
            // As a file, a folder is there by its last name, also if no sync covered its first one.
            folders = Set(folders.map(moved)).union([target])
        case .remove(let path):
            names[path] = nil
            folders.remove(path)
        case .makeFolder(let path): folders.insert(path)
        case .truncate(let file, let size): contents[file, default: []].resize(to: size)
        case .write(let file, let offset, let bytes):
            contents[file, default: []].write(bytes, at: offset, fate.count(of: bytes.count))
        case .syncFile, .syncFolder, .syncAll, .acknowledge: break
        }
    }

    /// A file without a name is not on the disk.
    private mutating func settle(_ names: [String: Int], _ contents: [Int: [UInt8]], _ destinations: [Int: String]) {
        let all = folders
        folders = all.filter { Self.isReachable($0, all) }
        for (path, file) in names where Self.isReachable(path, all) {
            if let destination = destinations[file] {
                links[path] = destination
            } else {
                files[path] = contents[file] ?? []
            }
        }
    }

    /// Whether every folder above the path was made and survives; the first component is the disk itself.
    private static func isReachable(_ path: String, _ folders: Set<String>) -> Bool {
        let parent = path.parent
        return parent.isEmpty || (folders.contains(parent) && isReachable(parent, folders))
    }

    /// Equal for disks with the same names and bytes.
    var digest: Digest {
        let hasher = SHA256Hasher()
        let add = { (bytes: [UInt8]) in bytes.withUnsafeBytes { hasher.update($0) } }
        for folder in folders.sorted() { add(Array("\(folder)\0".utf8)) }
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            add(Array("\(path)\0\(bytes.count)\0".utf8))
            add(bytes)
        }
        for (path, destination) in links.sorted(by: { $0.key < $1.key }) {
            add(Array("\(path)\0\(destination)\0".utf8))
        }
        return hasher.finish()
    }

    /// Writes the disk's content into a folder.
    func write(into folder: FilePath) throws {
        for path in folders.sorted() {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
        for (path, bytes) in files {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(path)"))
        }
        for (path, destination) in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(path)", withDestinationPath: destination)
        }
    }
}

extension String {
    /// The path of the enclosing folder; empty for the disk itself.
    fileprivate var parent: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? "" }
}

extension [UInt8] {
    fileprivate mutating func resize(to size: Int) {
        if size < count { removeLast(count - size) } else { self += [UInt8](repeating: 0, count: size - count) }
    }

    /// Writes the first `kept` bytes, and extends the file to the length of the complete write.
    fileprivate mutating func write(_ bytes: [UInt8], at offset: Int, _ kept: Int) {
        if count < offset + bytes.count { resize(to: offset + bytes.count) }
        // In builds without optimization, collections copy each byte on its own.
        withUnsafeMutableBytes { file in
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: file[offset..<offset + kept]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[..<kept]))
            }
        }
    }
}
