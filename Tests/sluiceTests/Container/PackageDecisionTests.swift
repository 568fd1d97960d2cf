import GroupContainer
import ShareModel
import Synchronization
import Testing

/// The decision about a package is a pure function. Each case states the known state and the decision.
@Suite struct PackageDecisionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let proposal: PackageProposal
        var known = MemoryState()
        let decision: PackageDecision
        /// The lookups that the decision needs; `nil` if they do not matter.
        var asked: [String]?

        var testDescription: String { name }
    }

    /// A plan keeps the words of many packages, and a text may have 30 MiB.
    @Test func wordsAreComparedByTheirDigest() {
        let words: [(String?, String?)] = [
            (nil, nil), ("", nil), (nil, ""), ("a", nil), (nil, "a"), ("a", "b"), ("ab", ""), ("", "ab"),
        ]
        #expect(Set(words.map { KnownWords(title: $0.0, text: $0.1) }).count == words.count)
        #expect(KnownWords(title: "a", text: "b") == KnownWords(title: "a", text: "b"))
        #expect(MemoryLayout<KnownWords>.size == MemoryLayout<Digest>.size)
    }

    private static let old = KnownPackage(seq: 1, id: "a", outcome: .accepted, run: "r0")

    private static func earlier(_ id: String, _ outcome: PackageOutcome = .accepted, run: String = "r0") -> KnownPackage
    {
        KnownPackage(seq: 1, id: id, outcome: outcome, run: run)
    }

    private static func new(
        _ isNew: [Bool], replaces: [KnownPackage] = [], _ warnings: [PackageWarning] = [],
        deliveries: [DeliveryDecision] = []
    ) -> PackageDecision {
        .insert(NewPackage(replaces: replaces, warnings: warnings, isNew: isNew, deliveries: deliveries))
    }

    private static func delivery(_ id: String, to sink: String, _ key: String, lead: Int = 0) -> DeliveryProposal {
        DeliveryProposal(id: id, key: key, sink: sink, lead: lead, payload: "content")
    }

    private static func proposal(_ contents: [String], deliveries: [DeliveryProposal]) -> PackageProposal {
        var proposal = PackageProposal.accepted("b", contents, path: "/in/1")
        proposal.deliveries = deliveries
        return proposal
    }

    static let cases: [Case] = [
        Case(
            name: "new content needs two lookups", proposal: .accepted("a", ["one"], path: "/in/1"),
            decision: new([true]), asked: ["content", "current", "content"]),
        Case(
            name: "known content in a new package", proposal: .accepted("b", ["one"], path: "/in/2"),
            known: MemoryState(contents: ["one"]), decision: new([false]),
            asked: ["content", "current", "package", "content"]),
        Case(
            name: "the same content twice in one package is stored once",
            proposal: .accepted("a", ["one", "one", "two"]), decision: new([true, false, true])),
        Case(
            name: "the same package of the same source", proposal: .accepted("a", ["one"], path: "/in/1"),
            known: MemoryState(contents: ["one"], current: [old]), decision: .duplicate(of: old, adding: []),
            asked: ["content", "current", "deliveries", "sighting"]),
        Case(
            name: "the same package of another source", proposal: .accepted("a", ["one"], path: "/in/2"),
            known: MemoryState(contents: ["one"], packages: [old], isSighted: false),
            decision: .duplicate(
                of: old, adding: [],
                sightings: PackageSighting(.accepted("a", ["one"], path: "/in/2")).map { [$0] } ?? []),
            asked: ["content", "current", "package", "deliveries", "sighting"]),
        Case(
            name: "a share whose sender sent something newer",
            proposal: .accepted("a", ["one"], path: "/in/1", sender: "me"),
            known: MemoryState(contents: ["one"], current: [earlier("b")], packages: [old]),
            decision: .duplicate(of: old, adding: [], replacing: [earlier("b")]),
            asked: ["content", "current", "package", "deliveries", "repeated", "sighting"]),
        Case(
            name: "a share that has not changed since its sender sent something newer",
            proposal: .accepted("a", ["one"], path: "/in/1", sender: "me"),
            known: MemoryState(
                contents: ["one"], current: [earlier("f", .failed), earlier("b")], packages: [old], isRepeated: true),
            decision: .duplicate(of: old, adding: [], replacing: [earlier("f", .failed)], becomesCurrent: false)),
        Case(
            name: "an edited source", proposal: .accepted("b", ["two"], path: "/in/1"),
            known: MemoryState(contents: ["one"], current: [old]), decision: new([true], replaces: [old])),
        Case(
            name: "all current packages of the source are replaced", proposal: .accepted("c", ["three"], path: "/in/1"),
            known: MemoryState(current: [earlier("a", .failed), earlier("b")]),
            decision: new([true], replaces: [earlier("a", .failed), earlier("b")])),
        Case(
            name: "a source that changes within a run", proposal: .accepted("b", ["two"], path: "/in/1", run: "r0"),
            known: MemoryState(current: [old]), decision: new([true], replaces: [old], [.changedInRun])),
        Case(
            name: "a whole package after a partial one", proposal: .accepted("b", ["one", "two"], path: "/in/1"),
            known: MemoryState(
                contents: ["one"], current: [earlier("a", .partial)], contentsOf: ["a": ["one"]]),
            decision: new([false, true], replaces: [earlier("a", .partial)])),
        Case(
            name: "other bytes when a partial package is tried again",
            proposal: .accepted("b", ["three", "two"], path: "/in/1"),
            known: MemoryState(
                contents: ["one"], current: [earlier("a", .partial)], contentsOf: ["a": ["one"]]),
            decision: new([true, true], replaces: [earlier("a", .partial)], [.changedOnRetry])),
        Case(
            name: "a sender's identifier for other content", proposal: .accepted("b", ["two"], sender: "x"),
            known: MemoryState(current: [old]), decision: new([true], replaces: [old], [.reusedSenderID])),
        Case(
            name: "a partial package without new content adds nothing",
            proposal: .accepted("b", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(contents: ["one", "two"], current: [old], contentsOf: ["a": ["one", "two"]]),
            decision: .addsNothing(to: old)),
        Case(
            name: "a part that came in before the whole adds nothing to it",
            proposal: .accepted("a", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(
                contents: ["one", "two"], current: [earlier("b")], packages: [earlier("a", .partial)],
                contentsOf: ["a": ["one"], "b": ["one", "two"]]),
            decision: .addsNothing(to: earlier("b"))),
        Case(
            name: "a part that came in before adds nothing to another part that has more",
            proposal: .accepted("a", ["one"], path: "/in/1", sender: "me", lacking: 2),
            known: MemoryState(
                contents: ["one", "two"], current: [earlier("b", .partial)], packages: [earlier("a", .partial)],
                contentsOf: ["a": ["one"], "b": ["one", "two"]]),
            decision: .addsNothing(to: earlier("b", .partial))),
        Case(
            name: "a part that came in before has content that the current package lacks",
            proposal: .accepted("a", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(
                contents: ["one", "two"], current: [earlier("b")], packages: [earlier("a", .partial)],
                contentsOf: ["a": ["one"], "b": ["two"]]),
            decision: .duplicate(of: earlier("a", .partial), adding: [], replacing: [earlier("b")])),
        Case(
            name: "a part that came in before has another title than the current package",
            proposal: .accepted("a", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(
                contents: ["one"], current: [earlier("b")], packages: [earlier("a", .partial)],
                contentsOf: ["a": ["one"], "b": ["one"]], words: ["b": KnownWords(title: "new")]),
            decision: .duplicate(of: earlier("a", .partial), adding: [], replacing: [earlier("b")])),
        Case(
            name: "a partial package with new content is new",
            proposal: .accepted("b", ["three"], path: "/in/1", lacking: 1),
            known: MemoryState(contents: ["one"], current: [old], contentsOf: ["a": ["one"]]),
            decision: new([true, false], replaces: [old])),
        Case(
            name: "a partial package with another title is new",
            proposal: .accepted("b", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(
                contents: ["one"], current: [old], contentsOf: ["a": ["one"]], words: ["a": KnownWords(title: "old")]),
            decision: new([false, false], replaces: [old])),
        Case(
            name: "a partial package is compared with the newest one that did not fail",
            proposal: .accepted("b", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(
                contents: ["one"], current: [old, earlier("f", .failed)], contentsOf: ["a": ["one"], "f": []]),
            decision: .addsNothing(to: old, replacing: [earlier("f", .failed)])),
        Case(
            name: "a partial package is not left out for one whose record cannot be read",
            proposal: .accepted("b", ["one"], path: "/in/1", lacking: 1),
            known: MemoryState(contents: ["one"], current: [old], contentsOf: ["a": ["one"]], damaged: ["a"]),
            decision: new([false, false], replaces: [old])),
        Case(
            name: "a failure replaces nothing", proposal: .failed("f", path: "/in/1"),
            known: MemoryState(current: [old]), decision: new([])),
        Case(
            name: "the same failure again", proposal: .failed("f", path: "/in/1"),
            known: MemoryState(current: [earlier("f", .failed)]), decision: .failedAgain(earlier("f", .failed)),
            asked: ["current"]),
        Case(
            name: "new content was delivered nowhere",
            proposal: proposal(["two"], deliveries: [delivery("b-s", to: "s", "k")]),
            known: MemoryState(delivered: ["k": "a-s"]),
            decision: new([true], deliveries: [DeliveryDecision(delivery("b-s", to: "s", "k"))]),
            asked: ["content", "current", "content"]),
        Case(
            name: "the same content went to the same sink",
            proposal: proposal(["one"], deliveries: [delivery("b-s", to: "s", "k"), delivery("b-t", to: "t", "l")]),
            known: MemoryState(contents: ["one"], delivered: ["k": "a-s"]),
            decision: new(
                [false],
                deliveries: [
                    DeliveryDecision(delivery("b-s", to: "s", "k"), duplicateOf: "a-s"),
                    DeliveryDecision(delivery("b-t", to: "t", "l")),
                ])),
        Case(
            name: "the same content went to the same sink only as a bag says",
            proposal: proposal(["one"], deliveries: [delivery("b-s", to: "s", "k")]),
            known: MemoryState(contents: ["one"], claimed: ["k": "a-s"]),
            decision: .insert(
                NewPackage(
                    isNew: [false],
                    deliveries: [DeliveryDecision(delivery("b-s", to: "s", "k"), duplicateOf: "a-s")],
                    opening: ["a-s"]))),
        Case(
            name: "a package that was delivered only as a bag says",
            proposal: .accepted("a", ["one"], path: "/in/1", sinks: ["s"]),
            known: MemoryState(
                contents: ["one"], current: [old], deliveries: ["a": ["a-s"]], claimed: ["s [\"one\"]": "a-s"]),
            decision: .duplicate(of: old, adding: [], opening: ["a-s"])),
        Case(
            name: "a package that a bag calls delivered, with content that the sink has",
            proposal: .accepted("a", ["one"], path: "/in/1", sinks: ["s"]),
            known: MemoryState(
                contents: ["one"], current: [old], deliveries: ["a": ["a-s"]],
                delivered: ["s [\"one\"]": "c-s"], claimed: ["s [\"one\"]": "a-s"]),
            decision: .duplicate(of: old, adding: [])),
        Case(
            name: "two groups of one package send the same content",
            proposal: proposal(
                ["one", "one"], deliveries: [delivery("b-0", to: "s", "k"), delivery("b-1", to: "s", "k", lead: 1)]),
            decision: new(
                [true, false],
                deliveries: [
                    DeliveryDecision(delivery("b-0", to: "s", "k")),
                    DeliveryDecision(delivery("b-1", to: "s", "k", lead: 1), duplicateOf: "b-0"),
                ])),
        Case(
            name: "a sink that was installed later gets the package when it comes again",
            proposal: .accepted("a", ["one"], path: "/in/1", sinks: ["s", "t"]),
            known: MemoryState(contents: ["one"], current: [old], deliveries: ["a": ["a-s"]]),
            decision: .duplicate(
                of: old,
                adding: [DeliveryDecision(delivery("a-t", to: "t", "t [\"one\"]"))])),
    ]

    @Test(arguments: cases) func decides(_ test: Case) throws {
        var proposal = test.proposal
        if proposal.run == "r1" { proposal.run = "r9" }
        #expect(try PackageDecision(proposal, test.known) == test.decision)
        if let asked = test.asked { #expect(test.known.asked.all == asked, "no lookup is superfluous") }
    }

    /// The receipt has one sentence for each warning.
    @Test(arguments: PackageWarning.allCases) func warnsInWords(_ warning: PackageWarning) {
        let proposal = PackageProposal.accepted("b", ["two"], path: "/in/1")
        let package = NewPackage(replaces: [Self.old], warnings: [warning], isNew: [true])
        let receipt = ReceiptComposer.receipt(of: package, proposal)
        #expect(receipt.warnings.count == 1)
        #expect(receipt.supersedes == "a")
        #expect(receipt.storedBytes == 3)
    }
}

/// The known state of a container, in memory.
struct MemoryState: KnownState, Sendable {
    /// The lookups, in their order.
    final class Questions: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ question: String) { list.withLock { $0.append(question) } }
    }

    var contents: Set<String> = []
    var current: [KnownPackage] = []
    var packages: [KnownPackage] = []
    var contentsOf: [String: Set<String>] = [:]
    /// Whether the path of the proposal yielded the same package before.
    var isRepeated = false
    var words: [String: KnownWords] = [:]
    /// The packages whose words cannot be read.
    var damaged: Set<String> = []
    var deliveries: [String: Set<String>] = [:]
    /// The logins of deliveries that have one.
    var logins: [String: AccountUser] = [:]
    /// The deliveries that have not ended.
    var open: Set<String> = []
    /// By their keys.
    var delivered: [String: String] = [:]
    /// The deliveries that are made only as a bag says, by their keys.
    var claimed: [String: String] = [:]
    /// Whether each arrival is recorded already.
    var isSighted = true
    let asked = Questions()

    func hasContent(_ digest: Digest) throws -> Bool {
        asked.add("content")
        return contents.contains { Digest(of: $0) == digest }
    }

    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage] {
        asked.add("current")
        return current
    }

    func isRepeated(_ proposal: PackageProposal) throws -> Bool {
        asked.add("repeated")
        return isRepeated
    }

    func package(id: String) throws -> KnownPackage? {
        asked.add("package")
        return packages.first { $0.id == id }
    }

    func words(of package: KnownPackage) throws -> KnownWords? {
        asked.add("words")
        return damaged.contains(package.id) ? nil : words[package.id] ?? KnownWords()
    }

    func contents(of package: KnownPackage) throws -> Set<Digest> {
        asked.add("contents")
        return Set((contentsOf[package.id] ?? []).map { Digest(of: $0) })
    }

    func deliveries(of package: KnownPackage) throws -> [String: KnownDelivery] {
        asked.add("deliveries")
        return Dictionary(
            uniqueKeysWithValues: (deliveries[package.id] ?? []).map {
                ($0, KnownDelivery(login: logins[$0], isOpen: open.contains($0)))
            })
    }

    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        asked.add("delivery")
        return delivered[proposal.key]
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        asked.add("unconfirmed")
        return claimed[proposal.key]
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, in package: KnownPackage) throws -> String? {
        asked.add("unconfirmed deliveries")
        let there = deliveries[package.id] ?? []
        return claimed[proposal.key].flatMap { there.contains($0) ? $0 : nil }
    }

    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) throws -> Bool {
        asked.add("sighting")
        return isSighted
    }
}
