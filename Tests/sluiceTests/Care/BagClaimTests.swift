import Foundation
import ShareModel
import Testing

/// A stranger's bag says how packages fared elsewhere. That ends when the content comes in outside of a bag.
@Suite struct BagClaimTests {
    private let scene: RestoreScene
    private var folder: TestFolder { scene.folder }

    init() throws { scene = try RestoreScene() }

    private static let text = "a letter about beryl"

    /// A bag with a letter that never came here, and another package that allegedly replaced it. The letter's delivery
    /// has the outcome that `outcome` names.
    ///
    /// - Returns: the identifiers of both.
    private func forge(_ outcome: DeliveryOutcome = .delivered) throws -> (letter: String, later: String) {
        try folder.write("theirs/letter.txt", Self.text)
        try folder.write("theirs/later.txt", "something else")
        let receipts = try scene.program.ingest(folder["theirs"]).receipts
        let letter = try #require(receipts.first { $0.source.path.hasSuffix("/letter.txt") }?.id)
        let later = try #require(receipts.first { $0.source.path.hasSuffix("/later.txt") }?.id)
        try scene.export(scene.program, to: "bag")
        try scene.change("receipts/\(letter).json") {
            $0.replacing(#""source":"#, with: #""superseded_by":"\#(later)","source":"#)
                .replacing(#""outcome":"delivered""#, with: #""outcome":"\#(outcome.rawValue)""#)
        }
        return (letter, later)
    }

    /// A victim's container, into which the forged bag came.
    private func victim() throws -> Program {
        let victim = scene.another("victim")
        _ = try victim.ingest(folder["bag"])
        return victim
    }

    private func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder[path].string, toPath: folder[other].string)
    }

    private func shown(_ program: Program, _ id: String) throws -> Receipt {
        try program.run(["show", "--json", id]).receipt
    }

    @Test func showMarksWhatOnlyTheBagSays() throws {
        let (letter, later) = try forge()
        let victim = try victim()
        let receipt = try shown(victim, letter)
        #expect(receipt.supersededBy == later && receipt.unconfirmed == [.source, .received, .supersededBy])
        #expect(receipt.providers[0].deliveries.map(\.isUnconfirmed) == [true])
        let lines = try victim.run(["show", letter]).output.split(separator: "\n")
        for word in ["source", "received", "replaced by", "→ notes"] {
            #expect(lines.contains { $0.contains(word) && $0.hasSuffix("so says the bag") }, "\(word)")
        }
        #expect(try victim.run(["verify"]).status == 0)
    }

    /// The same file, the same content under another name, in a form, and with words of its own.
    enum Arrival: String, CaseIterable { case file, pipe, share, partial }

    private func arrive(_ arrival: Arrival, at program: Program, options: [String] = []) throws -> Program.End {
        switch arrival {
        case .file:
            try folder.write("mine/copy.txt", Self.text)
            return try program.ingest(folder["mine/copy.txt"], options: options)
        case .pipe:
            return try program.run(["ingest", "-", "--name", "a.txt", "--json"] + options, input: Self.text)
        case .share:
            try folder.share(
                "mine/other", title: "Other words", #"{"representations": [{"file": "a.txt"}]}"#)
            try folder.write("mine/other.share/a.txt", Self.text)
            return try program.ingest(folder["mine/other.share"], options: options)
        case .partial:
            try folder.share(
                "mine/half", #"{"representations": [{"file": "a.txt"}]}"#, #"{"representations": [{"file": "x"}]}"#)
            try folder.write("mine/half.share/a.txt", Self.text)
            return try program.ingest(folder["mine/half.share"], options: options)
        }
    }

    @Test(arguments: Arrival.allCases) func aLaterArrivalIsDelivered(_ arrival: Arrival) throws {
        let (letter, _) = try forge()
        let victim = try victim()
        let before = try shown(victim, letter).providers[0].deliveries
        let receipt = try arrive(arrival, at: victim).receipt
        let after = try shown(victim, letter).providers[0].deliveries
        #expect(after.map(\.outcome) == [.delivered] && after.map(\.isUnconfirmed) == [nil])
        #expect(after.map(\.attempts) == before.map { $0.attempts + 1 }, "the sink of this container has it")
        let own = try shown(victim, receipt.packageID)
        #expect(own.supersededBy == nil)
        // A second arrival is an ordinary duplicate.
        _ = try arrive(arrival, at: victim)
        #expect(try shown(victim, letter).providers[0].deliveries == after)
        #expect(try victim.run(["verify"]).status == 0)
    }

    @Test(arguments: [DeliveryOutcome.declined, .failed, .quarantined])
    func anyEndThatOnlyTheBagSaysIsOpened(_ outcome: DeliveryOutcome) throws {
        let (letter, _) = try forge(outcome)
        let victim = try victim()
        #expect(try shown(victim, letter).providers[0].deliveries.map(\.outcome) == [outcome])
        #expect(try arrive(.file, at: victim).status == 0)
        #expect(try shown(victim, letter).providers[0].deliveries.map(\.outcome) == [.delivered])
    }

    @Test func aLaterArrivalIsCurrent() throws {
        let (letter, _) = try forge()
        let victim = try victim()
        #expect(try arrive(.file, at: victim).receipt.duplicateOf == letter)
        #expect(try shown(victim, letter).supersededBy == nil)
        #expect(try victim.run(["changes"]).output.contains("current"))
        // The same bag does not hide it again, nor does another one.
        for _ in 1...2 {
            _ = try victim.ingest(folder["bag"])
            let receipt = try shown(victim, letter)
            #expect(receipt.supersededBy == nil)
            #expect(receipt.providers[0].deliveries.map(\.isUnconfirmed) == [nil])
        }
    }

    /// The claim comes true only with the later package, which is in another bag.
    @Test func aClaimThatWaitsForItsPackageEndsToo() throws {
        let (letter, later) = try forge()
        let victim = scene.another("victim")
        try move("bag/data/packages/later.txt", to: "later.txt")
        _ = try victim.ingest(folder["bag"])
        _ = try arrive(.file, at: victim)
        try move("later.txt", to: "bag/data/packages/later.txt")
        _ = try victim.ingest(folder["bag"])
        #expect(try shown(victim, later).id == later)
        #expect(try shown(victim, letter).supersededBy == nil)
    }

    /// The files of the bag, without the bag.
    @Test func thePayloadByItselfIsAnArrival() throws {
        let (letter, _) = try forge()
        let victim = try victim()
        _ = try victim.ingest(folder["bag/data"])
        let receipt = try shown(victim, letter)
        #expect(receipt.supersededBy == nil && receipt.providers[0].deliveries.map(\.isUnconfirmed) == [nil])
    }

    /// What the sinks of this container did stays as it is.
    @Test func whatThisContainerKnowsIsNotOpened() throws {
        let (letter, _) = try forge()
        let victim = scene.another("victim")
        _ = try arrive(.file, at: victim)
        let before = try shown(victim, letter)
        _ = try victim.ingest(folder["bag"])
        _ = try arrive(.pipe, at: victim)
        var after = try shown(victim, letter)
        after.sightings = nil
        #expect(after == before)
    }

    /// A sink has the content already, by a package of this container. The delivery of the bag needs no second attempt.
    @Test func contentIsNotDeliveredTwice() throws {
        let (letter, _) = try forge()
        let victim = scene.another("victim")
        let own = try arrive(.share, at: victim).receipt.id
        _ = try victim.ingest(folder["bag"])
        let before = try shown(victim, letter).providers[0].deliveries
        _ = try arrive(.file, at: victim)
        #expect(try shown(victim, letter).providers[0].deliveries == before)
        #expect(try shown(victim, own).providers[0].deliveries.map(\.attempts) == [1])
        #expect(try shown(victim, letter).supersededBy == nil)
    }

    @Test func aPlanSaysWhatIsOpened() throws {
        _ = try forge()
        let victim = try victim()
        for arrival in [Arrival.file, .share] {
            let planned = try arrive(arrival, at: victim, options: ["--dry-run"]).receipt
            #expect(planned.providers[0].deliveries.map(\.outcome) == [.pending], "\(arrival)")
        }
    }

    /// A person may have the sinks make what the bag calls made.
    @Test func aPersonOpensIt() throws {
        let (letter, _) = try forge()
        let victim = try victim()
        #expect(try victim.run(["deliver", "--retry", letter]).status == 0)
        #expect(try shown(victim, letter).providers[0].deliveries.map(\.isUnconfirmed) == [nil])
    }

    /// The package is forgotten whose delivery the bag calls made. What another package of the bag inherits is unconfirmed.
    @Test func anHeirOfAClaimIsUnconfirmed() throws {
        for name in ["first", "second"] {
            try folder.share("theirs/\(name)", title: name, #"{"representations": [{"file": "a.txt"}]}"#)
            try folder.write("theirs/\(name).share/a.txt", Self.text)
        }
        let ids = try scene.program.ingest(folder["theirs"]).receipts.map(\.id)
        try scene.export(scene.program, to: "bag")
        let victim = try victim()
        let made = try #require(
            ids.first { try shown(victim, $0).providers[0].deliveries.map(\.outcome) == [.delivered] })
        let heir = try #require(ids.first { $0 != made })
        #expect(try victim.run(["forget", made]).status == 0)
        let deliveries = try shown(victim, heir).providers[0].deliveries
        #expect(deliveries.map(\.outcome) == [.delivered] && deliveries.map(\.isUnconfirmed) == [true])
        _ = try arrive(.pipe, at: victim)
        #expect(try shown(victim, heir).providers[0].deliveries.map(\.isUnconfirmed) == [nil])
    }
}
