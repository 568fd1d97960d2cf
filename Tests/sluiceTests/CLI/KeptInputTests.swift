import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// The container keeps the bytes of a failed input from a pipe, and the commands say where they are.
@Suite struct KeptInputTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["a container"])
    }

    static let inputs = [
        #"{"version": 1, "items": [{"text": "cut o"#,
        "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA form that breaks o",
    ]

    @Test(arguments: inputs) func showLeadsToTheBytes(_ input: String) throws {
        let end = try program.run(["ingest", "-"], input: input)
        #expect(end.status == 1)
        let entry = try #require(try program.run(["list", "--json"]).messages.compactMap(\.package).first)
        #expect(end.output.contains("are kept: sluice show \(entry.id.prefix(12)) --container"))
        let receipt = try program.run(["show", "--json", entry.id]).receipt
        let kept = try #require(receipt.kept)
        #expect(kept.map(\.sha256) == [Digest(of: input)] && kept.map(\.size) == [Int64(input.utf8.count)])
        #expect(try Disk.bytes(FilePath(try #require(kept[0].path))) == Array(input.utf8))
        // The printed command is for a shell.
        let lines = try program.run(["show", entry.id]).output.split(separator: "\n")
        let line = try #require(lines.first { $0.contains("cp ") })
        let command = try #require(line.firstRange(of: "cp ").map { line[$0.lowerBound...] })
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", String(command)]
        shell.currentDirectoryURL = URL(filePath: folder.path.string)
        try shell.run()
        shell.waitUntilExit()
        #expect(try Disk.bytes(folder["kept-\(entry.id.prefix(12))"]) == Array(input.utf8))
        // A second failure says the same.
        let again = try program.run(["ingest", "-", "--json"], input: input).receipt
        #expect(again.kept?.map(\.sha256) == kept.map(\.sha256))
    }

    /// A copy may only be read, so no later one may have its name.
    @Test func eachCopyHasItsName() throws {
        var receipt = try ReceiptFixtures.accepted()
        let digest = Digest(of: "")
        receipt.kept = ["/c/a", nil, "/c/b c", "/c/d"].map { Receipt.KeptInput(sha256: digest, size: 9, path: $0) }
        let lines = ReceiptTree(receipt: receipt, containerOption: "").lines.map { $0.rendered(color: false) }
        let commands = lines.compactMap { line in line.firstRange(of: "cp ").map { String(line[$0.lowerBound...]) } }
        let name = "kept-4f3a12b0c9d1"
        #expect(commands == ["cp /c/a \(name)", "cp '/c/b c' \(name)-2", "cp /c/d \(name)-3"])
    }

    /// A plan keeps nothing, and a file stays where it is.
    @Test func nothingIsSaidOfWhatIsNotKept() throws {
        let planned = try program.run(["ingest", "--dry-run", "-"], input: Self.inputs[0])
        #expect(planned.status == 1 && !planned.output.contains("kept"))
        try folder.write("broken.share/share.json", "no JSON")
        let end = try program.run(["ingest", folder["broken.share"].string])
        #expect(end.status == 1 && !end.output.contains("kept"))
        let id = try #require(try program.run(["list", "--json"]).messages.compactMap(\.package).first).id
        #expect(try program.run(["show", "--json", id]).receipt.kept == nil)
    }
}
