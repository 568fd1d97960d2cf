import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files

/// Maintenance while other processes change the container, and maintenance that is interrupted.
@Suite struct CareRaceTests {
    private let folder: TestFolder
    private let id: String
    private var container: FilePath { folder["container"] }
    private var program: Program { Program(container: container) }
    private var object: FilePath { container.object(of: "words") }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/letter.txt", "words")
        id = try Program(container: folder["container"]).ingest(folder["in"]).receipt.id
    }

    /// The row was read before its package was forgotten, and the file is gone at the check.
    @Test(arguments: [true, false])
    func aPackageForgottenMeanwhileIsNoFault(_ repairs: Bool) throws {
        let forgotten = Mutex<Int>(0)
        let (object, container, id) = (object, container, id)
        let fileSystem = HookedFileSystem(beforeStatus: { path in
            guard path == object, forgotten.withLock({ $0 }) == 0 else { return }
            forgotten.withLock { $0 += 1 }
            do { _ = try ContainerMaintenance(opening: container).forget([id]) } catch { Issue.record(error) }
        })
        var options = VerifyOptions()
        options.repairs = repairs
        options.jobs = 1
        let findings = Mutex<[CareFinding]>([])
        let care =
            try repairs
            ? ContainerMaintenance(opening: container, fileSystem: fileSystem)
            : ContainerMaintenance(reading: container, fileSystem: fileSystem)
        let sum = try care.verify(options, now: { "now" }) { event in
            if case .finding(let finding) = event { findings.withLock { $0.append(finding) } }
        }
        #expect(forgotten.withLock { $0 } == 1)
        #expect(findings.withLock { $0 }.isEmpty && sum.findings == 0)
        #expect(!FileManager.default.fileExists(atPath: object.string))
    }

    /// The rows are gone and the files remain; a collection removes the files.
    @Test func anInterruptedForgetLeavesLeftovers() throws {
        let objects = container.appending("objects")
        let fileSystem = HookedFileSystem(beforeRemove: { path throws(FileError) in
            if path.starts(with: objects) { throw FileError(.system, "cut short") }
        })
        let forgotten = try ContainerMaintenance(opening: container, fileSystem: fileSystem).forget([id])
        #expect(forgotten.bytes == 0 && forgotten.warnings.contains { $0.contains("\(Remedy.collectLeftovers)") })
        let verified = try #require(try program.run(["verify", "--json"]).messages.last?.verified)
        #expect(verified.findings == 0 && verified.orphans == forgotten.objects && verified.orphans > 0)
        let collected = try #require(
            try program.run(["gc", "--json", "--grace", "0s"]).messages.last?.collected)
        #expect(collected.files == forgotten.objects)
        #expect(Disk.files(below: objects).isEmpty)
    }

    /// The damaged copy in quarantine is removed too.
    @Test func aPackageWithLostContentCanBeForgotten() throws {
        try FileManager.default.removeItem(atPath: folder["in/letter.txt"].string)
        try Damage.changed.strike(object)
        #expect(try program.run(["verify", "--repair"]).status == 1)
        #expect(Disk.names(in: container.appending("quarantine")).count == 1)
        _ = try ContainerMaintenance(opening: container).forget([id])
        #expect(try program.run(["verify"]).status == 0)
        #expect(Disk.names(in: container.appending("quarantine")).isEmpty)
    }
}
