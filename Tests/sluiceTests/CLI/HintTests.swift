import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// A command that a message suggests shows or mends what the message is about, in the same container.
@Suite struct HintTests {
    private let folder: TestFolder
    private let program: Program
    private var option: String { " --container \(folder["c"])" }

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["c"])
    }

    /// The arguments of each command that a text suggests between backticks.
    private func commands(in text: String) -> [[String]] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { $0.element.split(separator: " ").dropFirst().map(String.init) }
    }

    /// A line of a list that is no path leaves no package, so no list shows it.
    @Test func aFailureWithoutAPackageIsNotListed() throws {
        let broken = try folder.write("list", "a\0b\n")
        let end = try program.run(["ingest", "--files-from", broken.string])
        #expect(end.status == 1 && end.output.contains("1 failed"))
        #expect(!end.output.contains("next: "), "\(end.output)")
        try folder.write("broken.share/share.json", "{")
        let also = try folder.write("also", "a\0b\n\(folder["broken.share"])\n")
        let both = try program.run(["ingest", "--files-from", also.string])
        #expect(both.output.contains("2 failed") && both.output.contains("next: sluice list --failed\(option)"))
        let listed = try program.run(["list", "--failed", "--json"]).messages
        #expect(listed.compactMap(\.package?.source.path) == [folder["broken.share"].string])
    }

    /// The commands that list what a summary counts.
    @Test func theSummaryLeadsToWhatItCounts() throws {
        let photo = FilePath(PackageDump.root.appending(path: "Samples/plain/photo.jpg").path)
        try folder.write("in/cut.jpg", Disk.bytes(photo).prefix(300))
        try folder.write("in/broken.share/share.json", "{")
        try folder.write("in/whole.txt", "words")
        let end = try program.run(["ingest", "--no-deliver", folder["in"].string])
        for (words, name) in [("sluice list --warned", "cut.jpg"), ("sluice list --failed", "broken.share")] {
            #expect(end.output.contains(words + option), "\(end.output)")
            let listed = try program.run(words.split(separator: " ").dropFirst().map(String.init) + ["--json"]).messages
            #expect(listed.compactMap(\.package?.source.path) == [folder["in/\(name)"].string])
        }
        // The line of a package with a warning has no reason, and that of a failed one has.
        #expect(try program.run(["list", "--warned"]).errors == "the reasons: sluice show ID\(option)\n")
        #expect(try program.run(["list", "--failed"]).errors.isEmpty)
    }

    /// No command makes the deliveries of a sink that is not installed, so only its reason names one.
    @Test func noCommandIsSuggestedForAMissingSink() throws {
        let run = try program.run(["ingest", "--no-deliver", folder.write("a.txt", "words").string])
        #expect(run.output.contains("next: sluice deliver\(option) makes the open delivery"), "\(run.output)")
        try SQL.run(folder["c"], "UPDATE delivery SET sink = 'gone'")
        let end = try program.run(["deliver"])
        #expect(end.status == 1 && !end.output.contains("next: "), "\(end.output)")
        #expect(end.output.contains("`sluice deliver --dismiss gone\(option)`"), "\(end.output)")
        #expect(try program.run(["deliver", "--dismiss", "gone"]).status == 0)
        #expect(try program.run(["deliver"]).status == 0)
    }

    /// An error about a container names the commands that use the same one.
    @Test(arguments: [["show", "ffffffffffff"], ["deliver", "--retry", "nothing"], ["forget", "ffffffffffff"]])
    func anErrorNamesTheContainer(_ arguments: [String]) throws {
        _ = try program.ingest(folder.write("a.txt", "words"), options: ["--no-deliver"])
        let end = try program.run(arguments)
        #expect(end.status == 1 && end.errors.contains("`sluice list\(option)`"), "\(end.errors)")
        let list = try #require(commands(in: end.errors).first)
        #expect(try program.run(Array(list.prefix(1))).output.contains("a.txt"))
    }

    @Test func aMissingContainerIsMadeByTheCommandThatIsNamed() throws {
        let end = try program.run(["list"])
        #expect(end.status == 2 && end.errors.contains("`sluice ingest\(option)` makes one"), "\(end.errors)")
    }

    /// A collection leaves young files alone, and the hint says so.
    @Test func aVerificationNamesTheAgeOfLeftovers() throws {
        _ = try program.ingest(folder.write("a.txt", "words"), options: ["--no-deliver"])
        let digest = Digest(of: "leftover").description
        try folder.write("c/objects/\(digest.prefix(2))/\(digest)", "leftover", mode: 0o400)
        let end = try program.run(["verify"])
        #expect(end.output.contains("sluice gc\(option) removes those older than 1d"), "\(end.output)")
        #expect(try program.run(["gc"]).output.contains("1 file without a row left alone: younger than 1d"))
        #expect(try program.run(["gc", "--grace", "0"]).output.contains("1 leftover removed"))
    }

    /// A finding's remedy is a command on the same container, and it works.
    @Test func aFindingLeadsToItsRepair() throws {
        _ = try program.ingest(folder.write("a.txt", "words"), options: ["--no-deliver"])
        let object = try #require(Disk.files(below: folder["c/objects"]).first)
        try FileManager.default.removeItem(atPath: folder["c/objects"].appending(object).string)
        let end = try program.run(["verify"])
        #expect(end.status == 1 && end.output.contains("`sluice verify --repair\(option)`"), "\(end.output)")
        let repair = try #require(commands(in: end.output).first)
        #expect(repair == ["verify", "--repair", "--container", folder["c"].string])
        #expect(try program.run(Array(repair.prefix(2))).status == 0)
        #expect(try program.run(["verify"]).status == 0)
    }

    /// Every remedy that names a command on a container has the option; without one, no word of it remains.
    @Test(arguments: [
        Remedy.makeContainer, .migrateContainer, .listPackages, .listDeliveries, .repairObject, .repairRow,
        .repairIndex, .repairMode, .repairBeforeExport, .collectLeftovers, .retryDeliveries(packages: ["4f"]),
        .retryDelivery, .listChanges(since: "e.1"), .dismissDeliveries(sink: "mock"),
    ])
    func aRemedyNamesTheContainer(_ remedy: Remedy) {
        let words = RemedyText.words(remedy, containerOption: " --container /c")
        let own = words.matches(of: /`sluice ([^`]*)`/).map(\.1).filter { !$0.hasPrefix("sinks") }
        #expect(!own.isEmpty && own.allSatisfy { $0.hasSuffix(" --container /c") }, "\(words)")
        #expect(!RemedyText.words(remedy, containerOption: "").contains("/c"))
    }
}
