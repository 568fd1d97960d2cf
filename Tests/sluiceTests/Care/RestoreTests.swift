import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// An ingest of a bag restores what the container knew that wrote the bag: times, sources, replacements, failures and
/// the sinks' results.
@Suite struct RestoreTests {
    private let scene: RestoreScene
    private var folder: TestFolder { scene.folder }

    init() throws { scene = try RestoreScene() }

    /// Container → bag → container → bag: both bags record the same.
    @Test func aRoundTripKeepsTheReceipts() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        let taken = try again.ingest(folder["bag"], options: ["--no-deliver"])
        #expect(taken.status == 1, "one delivery has failed, and two packages are partial: \(taken.errors)")
        #expect(try taken.receipts.allSatisfy { $0.warnings.allSatisfy { !$0.contains("not taken over") } })
        try scene.export(again, to: "back")
        let (before, after) = (try scene.records("bag"), try scene.records("back"))
        #expect(before.count >= 12 && Set(before.keys) == Set(after.keys))
        for (name, receipt) in before { #expect(after[name] == receipt, "\(name)") }
        let tags = ["products", "records"]
        for tag in tags { #expect(Disk.names(in: folder["bag/\(tag)"]) == Disk.names(in: folder["back/\(tag)"])) }
        #expect(before.values.flatMap(\.providers).flatMap(\.deliveries).flatMap(\.products).count > 3)
        #expect(before.values.contains { $0.outcome == .failed } && before.values.contains { $0.supersededBy != nil })
        #expect(before.values.contains { $0.sightings?.isEmpty == false })
        #expect(before.values.filter { $0.tags == ["Taxes", "to-read"] }.map(\.outcome).contains(.failed))
        #expect(before.values.filter { $0.tags != nil }.count == 3)
    }

    @Test func listShowsTheSameOtherNames() throws {
        for name in ["a", "größe/b", "c", "more/a"] { try folder.write("in/\(name).txt", "the same") }
        _ = try scene.program.ingest(folder["in"], options: ["--no-deliver"])
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let entries = try [scene.program, again].map {
            try $0.run(["list", "--json"]).messages.compactMap(\.package)
        }
        #expect(entries[0].map(\.alsoNamed) == entries[1].map(\.alsoNamed))
        #expect(entries[0].map(\.moreNames) == entries[1].map(\.moreNames))
        #expect(entries[0].map(\.alsoNamed) == ["b.txt"] && entries[0].map(\.moreNames) == [1])
    }

    @Test func showPrintsTheSame() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        for entry in try scene.program.run(["list", "--json"]).messages.compactMap(\.package) {
            let (before, after) = (try scene.program.run(["show", entry.id]), try again.run(["show", entry.id]))
            // Whether content was new is the container's own, and so is the place of what is kept.
            let texts = [before, after].map {
                $0.output.replacing("stored", with: "duplicate")
                    .replacing(again.container.string, with: scene.program.container.string)
            }
            #expect(texts[0] == texts[1].replacing(" — so says the bag", with: ""))
            #expect(texts[1] != texts[0], "what only the bag says is marked")
        }
    }

    @Test(arguments: ["beryl", "amber", "caption", "Minutes", "copy", "opal"])
    func aSearchFindsTheSamePackages(_ word: String) throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let found = try [scene.program, again].map { program in
            Set(try program.run(["search", "--json", word]).messages.compactMap(\.package?.id))
        }
        #expect(found[0] == found[1] && !found[0].isEmpty)
    }

    /// Only what was open is delivered.
    @Test func nothingIsDeliveredAgain() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        #expect(try again.ingest(folder["bag"]).status == 1)
        let (before, after) = (try scene.deliveries(scene.program), try scene.deliveries(again))
        #expect(Set(before.keys) == Set(after.keys))
        for (id, record) in before {
            let isMade = record.outcome == .pending
            #expect(after[id]?.attempts == (isMade ? 1 : record.attempts))
            #expect(after[id]?.outcome == (isMade ? .delivered : record.outcome))
        }
        #expect(before.values.contains { $0.outcome == .pending })
    }

    /// A bag gives no tags to a package that is there, and takes none from it.
    @Test func theTagsOfAKnownPackageStay() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let letter = try scene.letters[0]
        #expect(try scene.program.run(["tag", letter, "-taxes", "+own"]).status == 0)
        let changes = try scene.program.run(["changes"]).output
        _ = try scene.program.ingest(folder["bag"], options: ["--no-deliver"])
        #expect(try scene.program.run(["changes"]).output == changes)
        #expect(try scene.program.run(["show", "--json", letter]).receipt.tags == ["own", "to-read"])
    }

    /// Whoever made the bag may have written anything.
    @Test(arguments: [
        #"["two words"]"#, #"["-x"]"#, "[\"a\u{202E}\"]", #"[""]"#,
        "[" + (0...100).map { "\"n\($0)\"" }.joined(separator: ",") + "]",
    ])
    func aTagThatIsNoneRefusesTheReceipt(_ tags: String) throws {
        try folder.write("in/letter.txt", "a letter")
        let id = try scene.program.ingest(folder["in"], options: ["--no-deliver"]).receipt.id
        _ = try scene.program.run(["tag", id, "+Taxes"])
        try scene.export(scene.program, to: "bag")
        try scene.change("receipts/\(id).json") { $0.replacing(#"["Taxes"]"#, with: tags) }
        let again = scene.another("again")
        let receipt = try again.ingest(folder["bag"], options: ["--no-deliver"]).receipt
        #expect(receipt.outcome == .accepted && receipt.warnings.contains { $0.contains("a tag that is none") })
        #expect(try again.run(["show", "--json", id]).receipt.tags == nil)
    }

    /// A machine without the sinks keeps their results, and what they left open.
    @Test func resultsOfMissingSinksAreKept() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        var bare = scene.another("again")
        bare.sinks = folder["none"]
        _ = try bare.ingest(folder["bag"], options: ["--no-deliver"])
        // Without the sinks, `show` says that they are missing.
        bare.sinks = scene.program.sinks
        let (before, after) = (try scene.deliveries(scene.program), try scene.deliveries(bare))
        for (id, record) in before { #expect(after[id] == record, "\(record.sink)") }
    }

    /// On the same machine, the paths of the bag are those of the folder.
    @Test func theFolderItselfIsKnownAfterwards() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let rerun = try again.ingest(folder["in"], options: ["--no-deliver"])
        #expect(try rerun.receipts.allSatisfy { [.duplicate, .failed, .partial].contains($0.outcome) })
        let changes = try again.run(["changes"]).output
        #expect(!changes.contains("sighted"))
        _ = try again.ingest(folder["in"], options: ["--no-deliver"])
        #expect(try again.run(["changes"]).output == changes)
        // An edit replaces the package that the bag brought.
        try folder.write("in/letter.txt", "a third letter")
        let edited = try again.ingest(folder["in/letter.txt"], options: ["--no-deliver"]).receipt
        #expect(try edited.supersedes == scene.letters[1])
    }

    @Test func aSecondIngestWritesNothing() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        for program in [scene.program, scene.another("again")] {
            _ = try program.ingest(folder["bag"], options: ["--no-deliver"])
            let changes = try program.run(["changes"]).output
            let objects = Disk.files(below: program.container.appending("objects"))
            _ = try program.ingest(folder["bag"], options: ["--no-deliver"])
            #expect(try program.run(["changes"]).output == changes)
            #expect(Disk.files(below: program.container.appending("objects")) == objects)
            #expect(try program.run(["verify"]).status == 0)
        }
    }

    /// What was forgotten comes back with all that the bag records.
    @Test func aForgottenPackageComesBack() throws {
        try scene.fill()
        let id = try #require(try scene.letters.first)
        let before = try scene.program.run(["show", "--json", id]).receipt
        try scene.export(scene.program, to: "bag")
        #expect(try scene.program.run(["forget", id]).status == 0)
        _ = try scene.program.ingest(folder["bag"], options: ["--no-deliver"])
        var after = try scene.program.run(["show", "--json", id]).receipt
        after.storedBytes = before.storedBytes
        after.providers[0].outcome = before.providers[0].outcome
        #expect(after.unconfirmed == [.source, .received, .supersededBy])
        #expect(after.confirmed == before)
    }

    @Test func aPlanShowsTheHistory() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let current = try scene.letters[1]
        let planned = try scene.another("none").run(["ingest", "--dry-run", "--json", folder["bag"].string]).receipts
        let letter = try #require(planned.first { $0.id == current })
        #expect(letter.source.path == folder["in/letter.txt"].string)
        #expect(letter.providers.flatMap(\.deliveries).map(\.outcome) == [.duplicate])
        #expect(!FileManager.default.fileExists(atPath: folder["none"].string))
    }

    @Test(.needs("Python's bagit: python3 -m pip install bagit", Bagit.isThere))
    func theReferenceValidatorAcceptsIt() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        #expect(try Bagit.validate(folder["bag"]))
        let product = try #require(Disk.names(in: folder["bag/products"]).first)
        try folder.write("bag/products/\(product)", "tampered with")
        #expect(try !Bagit.validate(folder["bag"]), "the validator refuses a changed product")
    }

    /// Text that came in without a file has no time of its own. Its file in the bag has that of its arrival.
    @Test func aTextKeepsItsTime() throws {
        let data = Data("a text as data".utf8).base64EncodedString()
        try folder.share(
            "in/texts", #"{"name": "a.txt", "representations": [{"data": "\#(data)"}]}"#,
            #"{"name": "b.txt", "representations": [{"text": "a text"}]}"#)
        let receipt = try scene.program.ingest(folder["in"], options: ["--no-deliver"]).receipt
        let arrival = try #require(try scene.program.run(["show", "--json", receipt.id]).receipt.received)
        let seconds = try #require(Timestamp(arrival)).nanoseconds / 1_000_000_000
        try scene.export(scene.program, to: "bag")
        let files = Disk.files(below: folder["bag/data"])
        #expect(files.count == 2, "the text is in the description")
        for file in files { #expect(try Disk.stamp(folder["bag/data/\(file)"])[2] == seconds) }
        let again = scene.another("again")
        let back = try again.ingest(folder["bag"], options: ["--no-deliver"]).receipt
        #expect(back.providers.allSatisfy { $0.modified == nil })
    }
}

/// A bag may come from a stranger, and may have been changed on its way.
@Suite struct HostileRecordTests {
    private let scene: RestoreScene
    private var folder: TestFolder { scene.folder }

    init() throws { scene = try RestoreScene() }

    /// A container with one letter, and a bag of it.
    private func makeBag() throws -> String {
        try folder.write("in/letter.txt", "a letter about beryl")
        let id = try scene.program.ingest(folder["in"]).receipt.id
        try scene.export(scene.program, to: "bag")
        return id
    }

    private func shown(_ program: Program, _ id: String) throws -> Receipt {
        try program.run(["show", "--json", id]).receipt
    }

    /// A change of a receipt that makes it worthless.
    enum Lie: String, CaseIterable {
        case otherPackage, otherContent, otherSize, tooEarly, noTime, brokenTime, noJSON, noReceipt, noPath, noMachine
        case negative, otherOutcome, oddLink, replacesItself, replacedByItself

        func tell(_ receipt: String, _ id: String) -> String {
            switch self {
            case .otherPackage: receipt.replacing(#""id":"\#(id)""#, with: #""id":"\#(String(id.reversed()))""#)
            case .otherContent:
                receipt.replacing(/"sha256":"[0-9a-f]{64}","size":20,/) { _ in
                    #""sha256":"\#(String(repeating: "0", count: 64))","size":20,"#
                }
            case .otherSize: receipt.replacing(#""size":20,"#, with: #""size":21,"#)
            case .tooEarly: receipt.replacing(/"received":"[^"]*"/) { _ in #""received":"1969-12-31T23:59:59Z""# }
            case .noTime: receipt.replacing(/"received":"[^"]*",/) { _ in "" }
            case .brokenTime: receipt.replacing(/"received":"[^"]*"/) { _ in #""received":"2020-02-31T00:00:00Z""# }
            case .noJSON: receipt + "}"
            case .noReceipt: "[]"
            case .noPath: receipt.replacing(/"path":"[^"]*"/) { _ in #""path":"""# }
            case .noMachine: receipt.replacing(/"machine":"[^"]*"/) { _ in #""machine":"""# }
            case .negative: receipt.replacing(#""attempts":1"#, with: #""attempts":-1"#)
            case .otherOutcome: receipt.replacing(#""outcome":"accepted""#, with: #""outcome":"partial""#)
            case .replacesItself: receipt.replacing(#""source":"#, with: #""supersedes":"\#(id)","source":"#)
            case .replacedByItself: receipt.replacing(#""source":"#, with: #""superseded_by":"\#(id)","source":"#)
            case .oddLink: receipt.replacing(#""source":"#, with: #""superseded_by":"../../x","source":"#)
            }
        }
    }

    /// The package comes in as from a bag without receipts, and its receipt says why.
    @Test(arguments: Lie.allCases) func aWrongReceiptIsNotTakenOver(_ lie: Lie) throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") { text in
            let changed = lie.tell(text, id)
            #expect(changed != text)
            return changed
        }
        let again = scene.another("again")
        #expect(try again.ingest(folder["bag"], options: ["--no-deliver"]).status == 0)
        let receipt = try shown(again, id)
        #expect(receipt.source.path == folder["bag/data/packages/letter.txt"].string)
        #expect(receipt.warnings.contains { $0.contains("its receipt in the bag is not taken over") })
        #expect(receipt.providers[0].deliveries.map(\.outcome) == [.pending])
    }

    @Test(arguments: ["receipts", "products"]) func aChangedFileIsNotTakenOver(_ kind: String) throws {
        let id = try makeBag()
        let name = try #require(Disk.names(in: folder["bag/\(kind)"]).first)
        let bytes = try Disk.bytes(folder["bag/\(kind)/\(name)"])
        try folder.write("bag/\(kind)/\(name)", bytes.dropLast() + [UInt8(ascii: " ")])
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let receipt = try shown(again, id)
        #expect(receipt.warnings.contains { $0.contains("does not match tagmanifest-sha256.txt") })
        #expect(receipt.providers[0].deliveries.map(\.outcome) == [.pending], "the sink makes it again")
        #expect((receipt.source.path == folder["in/letter.txt"].string) == (kind == "products"))
    }

    /// A product under the name of another digest, with a manifest that agrees.
    @Test func aProductWithAnotherDigestIsNotTakenOver() throws {
        let id = try makeBag()
        let name = try #require(Disk.names(in: folder["bag/products"]).first)
        try scene.change("products/\(name)") { String($0.reversed()) }
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let receipt = try shown(again, id)
        #expect(receipt.warnings.contains { $0.contains("has other bytes than its receipt says") })
        #expect(receipt.providers[0].deliveries.map(\.outcome) == [.pending])
        #expect(try again.run(["gc", "--grace", "0s", "--json"]).messages.last?.collected?.files == 0)
    }

    @Test(
        arguments: [
            { $0.replacing(/"id":"[0-9a-f]{32}","metadata"/) { _ in #""id":"0123456789abcdef","metadata""# } },
            { $0.replacing(#""sink":"notes""#, with: #""sink":"other""#) },
            { $0.replacing(#""sink":"notes""#, with: #""sink":"../x""#) },
            { $0.replacing(/"metadata":\{[^}]*\}/) { _ in #""metadata":[1]"# } },
            { $0.replacing(#""role":"words""#, with: #""role":"../words""#) },
        ] as [@Sendable (String) -> String])
    func aDeliveryThatNoSinkMadeIsNotTakenOver(_ edit: @Sendable (String) -> String) throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") { text in
            #expect(edit(text) != text)
            return edit(text)
        }
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let deliveries = try shown(again, id).providers[0].deliveries
        #expect(deliveries.map(\.sink) == ["notes"] && deliveries.map(\.outcome) == [.pending])
    }

    /// A clock that was ahead must not keep the rest of a receipt from being restored.
    @Test func aTimeInTheFutureBecomesThePresent() throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") {
            $0.replacing(/"received":"[^"]*"/) { _ in #""received":"2200-01-01T00:00:00Z""# }
        }
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        let receipt = try shown(again, id)
        #expect(try #require(receipt.received) < "2200" && receipt.warnings.isEmpty)
        #expect(receipt.providers[0].deliveries.map(\.outcome) == [.delivered])
    }

    /// The container has the letter already, from elsewhere and from another time.
    @Test func aKnownPackageStaysAsItIs() throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") {
            $0.replacing(/"received":"[^"]*"/) { _ in #""received":"2001-01-01T00:00:00Z""# }
                .replacing(#""source":"#, with: #""superseded_by":"\#(String(repeating: "a", count: 32))","source":"#)
                .replacing(#""outcome":"delivered""#, with: #""outcome":"declined""#)
        }
        let other = scene.another("other")
        try folder.write("there/mine.txt", "a letter about beryl")
        _ = try other.ingest(folder["there"], options: ["--no-deliver"])
        let before = try shown(other, id)
        for _ in 1...2 {
            #expect(try other.ingest(folder["bag"], options: ["--no-deliver"]).receipt.outcome == .duplicate)
            var after = try shown(other, id)
            #expect(after.sightings?.map(\.source.path) == [folder["in/letter.txt"].string])
            #expect(after.sightings?.map(\.received) == ["2001-01-01T00:00:00Z"])
            after.sightings = nil
            #expect(after == before)
        }
        #expect(try other.run(["search", "--json", "letter"]).messages.count == 1)
    }

    /// A later bag cannot hide what another bag, or a folder, has brought.
    @Test(arguments: [false, true]) func aPackageIsNotReplacedByAnotherBag(_ isRestored: Bool) throws {
        let id = try makeBag()
        let other = scene.another("other")
        _ = try other.ingest(folder[isRestored ? "bag" : "in"], options: ["--no-deliver"])
        try folder.write("in/second.txt", "a second letter")
        let second = try scene.program.ingest(folder["in/second.txt"]).receipt.id
        try scene.export(scene.program, to: "bag2")
        try scene.change("receipts/\(id).json", in: "bag2") {
            $0.replacing(#""source":"#, with: #""superseded_by":"\#(second)","source":"#)
        }
        _ = try other.ingest(folder["bag2"], options: ["--no-deliver"])
        #expect(try shown(other, second).id == second)
        #expect(try shown(other, id).supersededBy == nil)
        // Where both are new, the claim counts.
        let fresh = scene.another("fresh")
        _ = try fresh.ingest(folder["bag2"], options: ["--no-deliver"])
        #expect(try shown(fresh, id).supersededBy == second)
    }

    /// Two packages that claim to replace each other.
    @Test func replacementsMakeNoCircle() throws {
        let first = try makeBag()
        try folder.write("in/second.txt", "a second letter")
        let second = try scene.program.ingest(folder["in/second.txt"]).receipt.id
        try scene.export(scene.program, to: "bag2")
        for (id, later) in [(first, second), (second, first)] {
            try scene.change("receipts/\(id).json", in: "bag2") {
                $0.replacing(#""source":"#, with: #""superseded_by":"\#(later)","source":"#)
            }
        }
        let other = scene.another("other")
        _ = try other.ingest(folder["bag2"], options: ["--no-deliver"])
        let replaced = try [first, second].filter { try shown(other, $0).supersededBy != nil }
        #expect(replaced.count == 1)
    }

    /// A path of a bag without a machine says nothing about this one.
    @Test func aPathFromNoMachineReplacesNothing() throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") { $0.replacing(/"machine":"[^"]*",/) { _ in "" } }
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        try folder.write("in/letter.txt", "an edited letter")
        #expect(try again.ingest(folder["in"], options: ["--no-deliver"]).receipt.supersedes == nil)
        #expect(try shown(again, id).supersededBy == nil)
    }

    @Test func aFailureOfAnotherPathIsRefused() throws {
        try folder.write("in/broken.share/share.json", "no JSON")
        _ = try scene.program.ingest(folder["in"])
        try scene.export(scene.program, to: "bag")
        let name = try #require(Disk.names(in: folder["bag/failures"]).first)
        try scene.change("failures/\(name)") { $0.replacing("broken.share", with: "other.share") }
        let again = scene.another("again")
        let end = try again.ingest(folder["bag"])
        #expect(end.status == 1)
        #expect(try end.receipt.source.path == folder["bag"].string)
    }

    /// Without a manifest of the tag files, no receipt can be checked. Each package says so.
    @Test func aLostTagManifestIsNamed() throws {
        let id = try makeBag()
        try folder.write("in/broken.share/share.json", "no JSON")
        _ = try scene.program.ingest(folder["in"])
        try scene.export(scene.program, to: "whole")
        try FileManager.default.removeItem(atPath: folder["whole/tagmanifest-sha256.txt"].string)
        let again = scene.another("again")
        let receipts = try again.ingest(folder["whole"], options: ["--no-deliver"]).receipts
        #expect(receipts.map(\.outcome) == [.accepted, .skipped])
        let missing = "cannot be checked: the bag has no tagmanifest-sha256.txt or tagmanifest-sha512.txt"
        let file = folder["whole/receipts/\(id).json"]
        let why = "its receipt in the bag is not taken over: \(file) \(missing); get the bag again"
        #expect(receipts[0].warnings == [why])
        #expect(receipts[1].reason?.contains(".json \(missing)") == true)
        #expect(try shown(again, id).warnings == receipts[0].warnings)
        let lines = try scene.another("third").run(["ingest", "--no-deliver", folder["whole"].string]).output
        #expect(lines.contains("! its receipt in the bag is not taken over"))
    }

    /// A receipt that the manifest leaves out is not read.
    @Test func anUnlistedReceiptIsNamed() throws {
        let id = try makeBag()
        try scene.change("tagmanifest-sha256.txt", isListed: false) { text in
            text.split(separator: "\n").filter { !$0.contains("receipts/") }.map { $0 + "\n" }.joined()
        }
        let again = scene.another("again")
        let receipt = try again.ingest(folder["bag"], options: ["--no-deliver"]).receipt
        #expect(receipt.warnings.contains { $0.contains("receipts/\(id).json is not in tagmanifest-sha256.txt") })
        #expect(receipt.source.path == folder["bag/data/packages/letter.txt"].string)
    }

    @Test func aReceiptAboveTheLimitIsNamed() throws {
        let id = try makeBag()
        try scene.change("receipts/\(id).json") { $0 + String(repeating: " ", count: 8 << 20) }
        let again = scene.another("again")
        let end = try again.run(["ingest", "--no-deliver", folder["bag"].string])
        #expect(end.output.contains("! its receipt in the bag is not taken over"))
        #expect(try shown(again, id).warnings.contains { $0.contains("is longer than 8388608 bytes") })
    }

    /// A broken manifest of the tag files costs the history, and nothing else.
    @Test func aBrokenTagManifestIsNamed() throws {
        let id = try makeBag()
        try folder.write("bag/tagmanifest-sha256.txt", "no digest\n")
        let again = scene.another("again")
        let end = try again.ingest(folder["bag"], options: ["--no-deliver"])
        #expect(end.status == 1)
        #expect(try end.receipts.map(\.outcome) == [.accepted, .failed])
        #expect(try end.receipts.last?.reason?.contains("tagmanifest-sha256.txt: line 1") == true)
        #expect(try shown(again, id).source.path == folder["bag/data/packages/letter.txt"].string)
    }
}

/// Bags of earlier editions have less.
@Suite struct OlderBagTests {
    private let scene: RestoreScene
    private var folder: TestFolder { scene.folder }

    init() throws { scene = try RestoreScene() }

    private func remove(_ folders: [String]) throws {
        for name in folders { try FileManager.default.removeItem(atPath: folder["bag/\(name)"].string) }
        try scene.change("tagmanifest-sha256.txt", isListed: false) { text in
            text.split(separator: "\n").filter { line in !folders.contains { line.contains("  \($0)/") } }
                .map { $0 + "\n" }.joined()
        }
    }

    /// Without products and failures: the deliveries with products are made again.
    @Test func aBagWithoutProductsComesIn() throws {
        try scene.fill()
        try scene.export(scene.program, to: "bag")
        let before = try scene.deliveries(scene.program)
        try remove(["products", "failures"])
        let again = scene.another("again")
        _ = try again.ingest(folder["bag"], options: ["--no-deliver"])
        for (id, record) in try scene.deliveries(again) {
            // A duplicate stands as the delivery that it follows.
            let lacks = before[id].map { !$0.products.isEmpty || $0.outcome == .duplicate } ?? false
            #expect(lacks ? record.outcome == .pending : record == before[id], "\(id)")
        }
        #expect(try again.run(["list", "--json"]).messages.compactMap(\.package).allSatisfy { $0.outcome != .failed })
    }

    /// Without receipts, each package comes in as from its file in the bag.
    @Test func aBagWithoutReceiptsComesIn() throws {
        try folder.write("in/letter.txt", "a letter about beryl")
        let id = try scene.program.ingest(folder["in"]).receipt.id
        try scene.export(scene.program, to: "bag")
        try remove(["products", "receipts"])
        let again = scene.another("again")
        let receipt = try again.ingest(folder["bag"]).receipt
        #expect(receipt.id == id && receipt.source.path == folder["bag/data/packages/letter.txt"].string)
        #expect(receipt.providers[0].deliveries.map(\.outcome) == [.delivered])
        #expect(receipt.warnings.isEmpty)
    }
}

/// A container with packages of all kinds, and a sink that finds words, makes products, declines and fails.
struct RestoreScene {
    let folder: TestFolder
    let program: Program

    /// The letter, and its edited version.
    var letters: [String] {
        get throws {
            let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
            return entries.filter { $0.source.path.hasSuffix("in/letter.txt") }.map(\.id)
        }
    }

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"], sinks: folder["sinks"])
        try folder.write(
            "sinks/notes/sink.json",
            """
            {"id": "notes", "version": "1", "protocol": 1, "role": "primary", "command": ["notes"],
             "accepts": [{"type": "text/plain"}]}
            """)
        try folder.write(
            "sinks/notes/notes",
            #"""
            #!/usr/bin/env python3
            import json, os, sys
            def say(name, **body):
                sys.stdout.write(json.dumps({name: body}) + "\n")
                sys.stdout.flush()
            for line in sys.stdin:
                message = json.loads(line)
                if "hello" in message: say("hello", protocol=1, id="notes", version="1")
                elif "configure" in message: say("ready")
                elif "goodbye" in message: break
                elif "deliver" in message:
                    delivery = message["deliver"]
                    text = open(delivery["parts"][0]["path"], encoding="utf-8").read()
                    if "fail" in text: say("fail", id=delivery["id"], **{"class": "permanent"}, why="it fails")
                    elif "decline" in text: say("done", id=delivery["id"], status="declined", why="no notes")
                    else:
                        with open(os.path.join(delivery["out"], "words.txt"), "w") as out: out.write("opal of " + text)
                        say("done", id=delivery["id"], status="delivered", metadata={"gem": "amber"},
                            products=[{"path": "words.txt", "role": "words", "type": "text/plain"}])
            """#, mode: 0o755)
    }

    /// A container of its own, on the same machine.
    func another(_ name: String) -> Program { Program(container: folder[name], sinks: folder["sinks"]) }

    func export(_ program: Program, to bag: String) throws {
        let end = try program.run(["export", folder[bag].string])
        #expect(end.status == 0, "\(end.errors)")
    }

    func fill() throws {
        try folder.write("in/letter.txt", "a first letter about beryl")
        try folder.write("in/fail.txt", "this one fails")
        try folder.write("in/decline.txt", "this one declines")
        try folder.share(
            "in/two", id: "two", title: "Minutes", #"{"representations": [{"link": "https://example.org/a"}]}"#,
            #"{"representations": [{"text": "a caption"}]}"#)
        let half = #"{"representations": [{"text": "half"}]}"#
        try folder.share("in/half", half, #"{"representations": [{"file": "x"}]}"#)
        try folder.write("in/broken.share/share.json", "no JSON")
        try folder.write("in/Brief.pages/index.xml", "<x/>")
        _ = try program.ingest(folder["in"])
        _ = try program.run(["ingest", "-"], input: #"{"version": 1, "items": [{"text": "by pipe"}]}"#)
        _ = try program.run(["ingest", "-"], input: #"{"version": 2, "items": []}"#)
        // An edit, another arrival, content that was delivered before, and a delivery that stays open.
        try folder.write("in/letter.txt", "a second letter about beryl")
        try folder.write("in/more/copy.txt", "this one declines")
        try folder.share(
            "in/again", title: "Once more", #"{"name": "same.txt", "representations": [{"file": "same.txt"}]}"#)
        try folder.write("in/again.share/same.txt", "a second letter about beryl")
        _ = try program.ingest(folder["in"])
        try folder.write("in/open.txt", "left open")
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let failed = try program.run(["list", "--json", "--outcome", "failed"]).messages.compactMap(\.package)
        let ids = try letters + failed.prefix(1).map(\.id)
        #expect(try program.run(["tag", "+Taxes", "+to-read"] + ids).status == 0)
    }

    /// The receipts of a bag, by their paths. Whether content was new is the container's own.
    func records(_ bag: String) throws -> [String: Receipt] {
        var records: [String: Receipt] = [:]
        for path in Disk.files(below: folder[bag]) where path.hasPrefix("receipts/") || path.hasPrefix("failures/") {
            var receipt = try JSONLines.decode(Receipt.self, from: Disk.bytes(folder["\(bag)/\(path)"])).confirmed
            receipt.storedBytes = 0
            for place in receipt.providers.indices where receipt.providers[place].outcome == .stored {
                receipt.providers[place].outcome = .duplicate
            }
            records[path] = receipt
        }
        return records
    }

    func deliveries(_ program: Program) throws -> [String: DeliveryRecord] {
        let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
        let records = try entries.flatMap { entry in
            try program.run(["show", "--json", entry.id]).receipt.confirmed.providers.flatMap(\.deliveries)
        }
        return Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    }

    /// Changes a file of a bag, and its line in the manifest of the tag files.
    func change(_ path: String, in bag: String = "bag", isListed: Bool = true, _ edit: (String) -> String) throws {
        let file = folder["\(bag)/\(path)"]
        let before = try Disk.bytes(file)
        let after = edit(String(decoding: before, as: UTF8.self))
        try folder.write("\(bag)/\(path)", after)
        guard isListed else { return }
        let manifest = String(decoding: try Disk.bytes(folder["\(bag)/tagmanifest-sha256.txt"]), as: UTF8.self)
        let (old, new) = ("\(Digest(of: before))  \(path)", "\(Digest(of: Array(after.utf8)))  \(path)")
        #expect(manifest.contains(old))
        try folder.write("\(bag)/tagmanifest-sha256.txt", manifest.replacing(old, with: new))
    }
}

extension Receipt {
    /// The receipt without the marks of what only a bag says.
    fileprivate var confirmed: Receipt {
        var receipt = self
        receipt.unconfirmed = nil
        for provider in receipt.providers.indices {
            for place in receipt.providers[provider].deliveries.indices {
                receipt.providers[provider].deliveries[place].isUnconfirmed = nil
            }
        }
        return receipt
    }
}
