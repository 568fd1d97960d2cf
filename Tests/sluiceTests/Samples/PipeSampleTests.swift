import Foundation
import ShareModel
import SystemPackage
import Testing

/// The real program gets every file of Samples/pipes on standard input. To add a case, add a file.
@Suite struct PipeSampleTests {
    /// The packages and the exit status must be those of the case's `.expected`, whose first line is the command.
    ///
    /// The test writes a missing `.expected`; with `SLUICE_RECORD=1` it also writes those that differ. It fails in both
    /// cases, so that a person reads the file.
    @Test(arguments: PipeSample.all) func result(of sample: PipeSample) throws {
        let place = try TestFolder()
        let program = Program(container: place["container"])
        let options = ["--json", "--no-deliver"]
        let end = try program.run(["ingest"] + options + sample.arguments, from: sample.file)
        let found = try sample.text(of: end)
        let expected = sample.expected
        // A case with options begins as an expectation of one line.
        let isNew = expected?.split(separator: "\n").count ?? 0 < 2
        if isNew || (expected != found && SampleShare.isRecording) {
            try found.write(toFile: sample.expectation.string, atomically: true, encoding: .utf8)
            Issue.record("\(sample) was recorded; look at its .expected, and run again")
        } else {
            #expect(found == expected)
        }
        if end.status == 64 { #expect(Disk.names(in: place.path).isEmpty, "a wrong input makes no container") }
    }

    @Test func everySampleHasARow() throws {
        let table = try String(contentsOf: PackageDump.root.appending(path: "Samples/README.md"), encoding: .utf8)
        #expect(PipeSample.all.count > 30)
        for sample in PipeSample.all { #expect(table.contains("| `\(sample)` |"), "\(sample) has no row") }
    }
}

/// A file in Samples/pipes.
struct PipeSample: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let name: String

    private static let folder = FilePath(PackageDump.root.appending(path: "Samples/pipes").path)
    private static let command = "$ sluice ingest -"

    static let all = Disk.names(in: folder).filter { !$0.hasSuffix(".expected") }.map { PipeSample(name: $0) }

    var description: String { name }
    var testDescription: String { name }
    var file: FilePath { Self.folder.appending(name) }
    var expectation: FilePath { Self.folder.appending(name + ".expected") }
    var expected: String? { try? String(contentsOfFile: expectation.string, encoding: .utf8) }

    /// The arguments of the command on the first line of the expectation.
    var arguments: [String] {
        let line = expected?.split(separator: "\n").first.map(String.init) ?? Self.command
        return line.split(separator: " ").dropFirst(3).map(String.init)
    }

    /// What came in, without identifiers and digests.
    func text(of end: Program.End) throws -> String {
        var lines = ["$ sluice ingest \(arguments.joined(separator: " "))"]
        for receipt in try end.receipts {
            lines.append("\(receipt.outcome.rawValue) \(receipt.source.kind.rawValue) \(receipt.source.path)")
            if let title = receipt.item?.title { lines.append("  title: \(title.debugDescription)") }
            if let text = receipt.item?.text { lines.append("  text: \(text.debugDescription)") }
            if let reason = receipt.reason { lines.append("  reason: \(reason)") }
            lines += receipt.warnings.map { "  ! \($0)" }
            for provider in receipt.providers {
                let type = provider.type?.description ?? provider.reason
                let size = provider.size.map { "\($0) bytes" } ?? "no content"
                lines.append("  \(provider.name.debugDescription): \(type), \(size)")
                lines += provider.warnings.map { "    ! \($0)" }
            }
        }
        if try end.receipts.isEmpty { lines += end.errors.split(separator: "\n").map { "error: \($0)" } }
        return (lines + ["status \(end.status)"]).joined(separator: "\n") + "\n"
    }
}
