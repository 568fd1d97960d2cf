import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// A process may die at any point while it creates a container. These tests also open damaged containers.
@Suite struct CreationTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }

    init() throws { folder = try TestFolder() }

    /// The creator writes the file `format` last. The next process finishes a container without it.
    @Test(arguments: [
        "run", "run/setup.lock", "run/setup.lock objects tmp work", "run/setup.lock objects catalog.sqlite",
        "run/setup.lock objects tmp work catalog.sqlite catalog.sqlite-journal",
    ])
    func anUnfinishedContainerIsFinished(_ left: String) throws {
        for name in left.split(separator: " ").map(String.init) {
            let isFile = name.contains(".")
            if isFile {
                try folder.write("container/\(name)", "")
            } else {
                try FileManager.default.createDirectory(
                    atPath: root.appending(name).string, withIntermediateDirectories: true)
            }
        }
        _ = try Container.open(at: root)
        #expect(try ContainerFormat.check(ContainerLayout(root: root), SystemFileSystem()) == .present)
    }

    @Test func manyProcessesCreateOneAtOnce() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) { _ = try Container.open(at: root) }
        }
        #expect(try ContainerFormat.check(ContainerLayout(root: root), SystemFileSystem()) == .present)
    }

    /// The first commit turns the write-ahead log on.
    @Test(.needs("strace", FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
    func nothingFollowsAFailedFirstCommit() throws {
        var program = Program(container: root)
        program.executable = try folder.write(
            "disturbed",
            """
            #!/bin/sh
            exec strace -f -qq -o '\(folder["log"])' -e trace=fdatasync -e inject=fdatasync:error=EIO:when=1 \
                '\(Program.folder.appending(path: "sluice").path)' "$@"
            """, mode: 0o755)
        #expect(try program.run(["ingest", "--no-deliver", "-"], input: "{}").status == 2)
        let syncs = try String(contentsOfFile: folder["log"].string, encoding: .utf8).split(separator: "\n")
        #expect(syncs.count { $0.contains("fdatasync") } == 1, "\(syncs)")
    }

    /// An empty catalog in place of a lost one would claim that nothing was ever ingested.
    @Test(arguments: [true, false]) func aLostCatalogIsNotReplaced(_ isEmptied: Bool) throws {
        _ = try Container.open(at: root)
        for name in Disk.names(in: root) where name.hasPrefix("catalog") {
            try FileManager.default.removeItem(atPath: root.appending(name).string)
        }
        if isEmptied { try folder.write("container/catalog.sqlite", "") }
        let end = try Program(container: root).run(["ingest", "-"], input: "{}")
        #expect(end.status == 2)
        #expect(end.errors.contains("backup"), "\(end.errors)")
    }

    /// Reading a FIFO would wait for a writer.
    @Test func aPipeForAFormatIsRefusedAtOnce() throws {
        _ = try Container.open(at: root)
        try FileManager.default.removeItem(atPath: root.appending("format").string)
        #expect(mkfifo(root.appending("format").string, 0o600) == 0)
        #expect(throws: ContainerError.self) { _ = try Container.open(at: root) }
    }

    /// A link may lead to a person's own folder, and the sweep of leftovers would remove its files.
    @Test(arguments: ["tmp", "objects", "work"]) func aLinkForAFolderIsRefused(_ name: String) throws {
        _ = try Container.open(at: root)
        try folder.write("elsewhere/1/precious", "mine")
        try FileManager.default.removeItem(atPath: root.appending(name).string)
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(name).string, withDestinationPath: folder["elsewhere"].string)
        #expect(throws: ContainerError.self) { _ = try Container.open(at: root) }
        #expect(Disk.files(below: folder["elsewhere"]) == ["1/precious"])
    }
}
