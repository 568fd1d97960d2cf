import Foundation
import ShareModel
import SystemPackage
import Testing

/// The program's messages for a broken container, and its changes to it. To add a case, add a folder.
@Suite struct BrokenContainerTests {
    private let place: TestFolder

    init() throws { place = try TestFolder() }

    @Test(arguments: BrokenContainer.all) func theProgramAnswersAsExpected(_ broken: BrokenContainer) throws {
        let found = try transcript(broken.make(in: place))
        if broken.expected() == nil || (broken.expected() != found && SampleShare.isRecording) {
            try broken.record(found)
            Issue.record("\(broken.name) was recorded; look at its expected.txt, and run again")
        } else {
            #expect(found == broken.expected(), "SLUICE_RECORD=1 records it")
        }
    }

    private func transcript(_ container: FilePath) throws -> String {
        let program = Program(container: container)
        let before = contents(of: container)
        var lines = try told("list", program.run(["list", "--json"]))
        lines += try told("ingest lake.txt", program.ingest(place.write("in/lake.txt", "the lake\n"), options: keep))
        lines += try told("ingest river.txt", program.ingest(place["in/river.txt"], options: keep))
        lines += try told("list", program.run(["list", "--json"]))
        if lines.contains("ingest river.txt: exit 0") {
            let leftovers = ["tmp", "work"].flatMap { folder in
                Disk.names(in: container.appending(folder)).map { "\(folder)/\($0) is left over" }
            }
            let findings = try ContainerFindings.losses(in: container, acknowledged: []) + leftovers
            lines += ["damage left:"] + (findings.isEmpty ? ["  none"] : findings.map { "  \($0)" })
        } else {
            lines.append(contents(of: container) == before ? "nothing is changed" : "files are changed")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private let keep = ["--no-deliver"]

    /// A command, its exit status, and its messages.
    private func told(_ command: String, _ end: Program.End) throws -> [String] {
        let packages = try end.messages.compactMap { message -> String? in
            if let entry = message.package {
                return "\(entry.outcome) \(FilePath(entry.source.path).lastComponent?.string ?? "")"
            }
            return message.receipt.map { "\($0.outcome), \($0.storedBytes) bytes stored" }
        }
        let words = end.errors.replacing(place.path.string, with: "…").split(separator: "\n").map(String.init)
        return ["\(command): exit \(end.status)"] + (end.status == 0 ? packages : words).map { "  \($0)" }
    }

    /// The names and bytes of all files, except those that opening a catalog or a lock leaves.
    private func contents(of container: FilePath) -> [String: [UInt8]] {
        let names = Disk.files(below: container).filter { !$0.hasPrefix("run/") && !$0.hasPrefix("catalog.sqlite-") }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? Disk.bytes(container.appending($0))) ?? []) })
    }
}
