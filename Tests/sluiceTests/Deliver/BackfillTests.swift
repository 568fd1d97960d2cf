import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion

/// A new or updated sink gets what came in before it, once for each of its versions.
@Suite struct BackfillTests {
    private let trial: DeliveryTrial

    init() throws { trial = try DeliveryTrial() }

    /// Three texts that came in before the mock was installed.
    private func takeInTexts() throws {
        try trial.writeTexts(1...3)
        #expect(try trial.ingest(["--no-sandbox"]).status == 0)
    }

    private func backfill(_ words: String...) throws -> (report: BackfillReport, made: [DeliveryRecord]) {
        let end = try trial.program.run(["deliver", "--backfill", "mock", "--json", "--no-sandbox"] + words)
        #expect(end.status == 0, "\(end.errors)")
        let messages = try end.messages
        return (try #require(messages.first?.backfill), messages.compactMap(\.delivery))
    }

    private func count(added: Int = 0, again: Int = 0, open: Int = 0, done: Int = 0) -> BackfillCount {
        var count = BackfillCount()
        (count.added, count.again, count.open, count.done) = (added, again, open, done)
        return count
    }

    @Test func aNewSinkGetsOldContentOnce() throws {
        try takeInTexts()
        try trial.install(["good", "--record", trial.record])
        let first = try backfill()
        #expect(first.report.count == count(added: 3))
        #expect(first.report.version == "1")
        #expect(first.made.map(\.outcome) == [.delivered, .delivered, .delivered])
        #expect(try trial.handed().compactMap { $0.parts.first?.name } == ["t1.txt", "t2.txt", "t3.txt"])
        let second = try backfill()
        #expect(second.report.count == count(done: 3))
        #expect(second.made.isEmpty)
        #expect(try trial.handed().count == 3)
        #expect(try trial.program.run(["verify", "--json"]).status == 0)
    }

    /// The delivery is the same one, so its key and its identifier are too, and its products are replaced.
    @Test func anUpdatedSinkGetsItAgain() throws {
        try trial.install(["good", "--record", trial.record])
        try takeInTexts()
        #expect(try backfill().report.count == count(done: 3))
        try trial.install(["good", "--record", trial.record], version: "2")
        let again = try backfill()
        #expect(again.report.count == count(again: 3))
        #expect(again.made.map(\.attempts) == [2, 2, 2])
        let handed = try trial.handed()
        #expect(handed.map(\.attempt) == [1, 1, 1, 2, 2, 2])
        #expect(handed.prefix(3).map(\.key) == handed.suffix(3).map(\.key))
        #expect(try backfill().report.count == count(done: 3))
        #expect(try SQL.run(trial.program.container, "SELECT DISTINCT version FROM delivery") == ["2"])
    }

    /// What the version refused or failed at, `--retry` tries again.
    @Test func aFailureIsAnEndToo() throws {
        try takeInTexts()
        try trial.install(["fail", "permanent"])
        let end = try trial.program.run(["deliver", "--backfill", "mock", "--json", "--no-sandbox"])
        #expect(end.status == 1)
        #expect(try end.messages.compactMap(\.delivery).map(\.outcome) == [.failed, .failed, .failed])
        #expect(try backfill().report.count == count(done: 3))
        try trial.install(["good"], version: "1.1")
        #expect(try backfill().made.map(\.outcome) == [.delivered, .delivered, .delivered])
    }

    @Test func wordsAndFiltersChoose() throws {
        try takeInTexts()
        try trial.install(["good"])
        #expect(try backfill("t2").report.count == count(added: 1))
        #expect(try backfill("text", "-t3").report.count == count(added: 1, done: 1))
        #expect(try backfill("type:photo").report.count == count())
        #expect(try backfill().report.count == count(added: 1, done: 2))
    }

    @Test func aTrialChangesNothing() throws {
        try takeInTexts()
        try trial.install(["good"])
        let rows = "SELECT count(*) FROM delivery UNION ALL SELECT max(seq) FROM change"
        let before = try SQL.run(trial.program.container, rows)
        #expect(try backfill("--dry-run").report.count == count(added: 3))
        #expect(try SQL.run(trial.program.container, rows) == before)
        let text = try trial.program.run(["deliver", "--backfill", "mock", "--dry-run"])
        #expect(text.output == "3 deliveries to mock 1 would be opened\n", "\(text.errors)")
    }

    /// A process may die between two pages, and after any delivery.
    @Test func anInterruptedBackfillIsContinued() throws {
        try takeInTexts()
        try trial.install(["good", "--record", trial.record])
        do {
            let container = try Container.open(at: trial.program.container)
            let queue = try #require(container.deliveries as? any BackfillQueue)
            let packages = try queue.currentPackages()
            let proposal = DeliveryProposal(id: "half", key: "half", sink: "mock", lead: 0, payload: "content")
            #expect(
                try queue.open([BackfillDelivery(package: packages[0], proposal)], version: "1", isTrial: false)
                    == count(added: 1))
            #expect(
                try queue.open([BackfillDelivery(package: packages[0], proposal)], version: "1", isTrial: false)
                    == count(open: 1))
        }
        #expect(try backfill().made.count == 4, "the one that is open, and three with the key of this program")
    }

    /// Two shares with other titles are two packages with one content. The sink gets it once.
    @Test func oneContentIsDeliveredOnce() throws {
        for title in ["One", "Two"] {
            try trial.folder.write("in/\(title).txt", "the same words")
            #expect(
                try trial.program.ingest(trial.folder["in/\(title).txt"], options: ["--title", title]).status == 0)
        }
        try trial.install(["good", "--record", trial.record])
        #expect(try backfill().report.count == count(added: 1, done: 1))
        #expect(try trial.handed().count == 1)
        #expect(try backfill().report.count == count(done: 2))
        try trial.install(["good", "--record", trial.record], version: "2")
        #expect(try backfill("two").report.count == count(again: 1))
        #expect(try backfill().report.count == count(done: 2))
    }

    /// The second package came in after the first delivery had failed, so each has one of its own.
    @Test(arguments: ["permanent", "decline"]) func oneContentOfTwoDeliveriesIsDeliveredOnce(_ kind: String) throws {
        try trial.install(kind == "decline" ? ["decline-without-why"] : ["fail", kind])
        for title in ["One", "Two"] {
            try trial.folder.write("in/\(title).txt", "the same words")
            _ = try trial.program.ingest(trial.folder["in/\(title).txt"], options: ["--title", title, "--no-sandbox"])
        }
        try #require(
            try SQL.run(trial.program.container, "SELECT count(*) FROM delivery WHERE leader IS NULL") == ["2"])
        try trial.install(["good", "--record", trial.record], version: "2")
        #expect(try backfill("--dry-run").report.count == count(again: 2), "a trial opens nothing")
        #expect(try backfill().report.count == count(again: 1, done: 1))
        #expect(try trial.handed().count == 1)
        #expect(try backfill().report.count == count(done: 2))
    }

    @Test func whatAPersonDismissedStaysSo() throws {
        try trial.install(["good", "--record", trial.record])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-deliver"]).status == 0)
        #expect(try trial.program.run(["deliver", "--dismiss", "mock"]).status == 0)
        #expect(try backfill().report.count == count(done: 2))
        let retry = try trial.program.run(["deliver", "--retry", "mock", "--no-sandbox"])
        #expect(retry.status == 1, "the name of the sink does not stand for them: \(retry.output)\(retry.errors)")
        #expect(try trial.handed().isEmpty)
    }

    /// A sink may decline what it lacks a program for.
    @Test func whatASinkDeclinedIsTriedAgainByItsName() throws {
        try trial.install(["decline-without-why"])
        try takeInTexts()
        try trial.install(["good", "--record", trial.record])
        #expect(try trial.program.run(["deliver", "--retry", "mock", "--no-sandbox"]).status == 0)
        #expect(try trial.handed().count == 3)
    }

    @Test func theLineOfJSONHasTheCounts() throws {
        try takeInTexts()
        try trial.install(["good"])
        let end = try trial.program.run(["deliver", "--backfill", "mock", "--dry-run", "--json"])
        let keys = ["added", "again", "cut", "done", "open", "packages", "sink", "unreadable", "version"]
        let line = try JSONDecoder().decode([String: [String: JSONValue]].self, from: Data(end.output.utf8))
        #expect(line["backfill"]?.keys.sorted() == keys)
        #expect(line["backfill"]?["added"] == .integer(3) && line["backfill"]?["packages"] == .integer(3))
    }

    @Test func anEmptySelectionIsSaid() throws {
        try takeInTexts()
        try trial.install(["good"])
        let end = try trial.program.run(["deliver", "--backfill", "mock", "nosuchword", "--dry-run"])
        #expect(end.output == "nothing is found, so there is no delivery to open\n", "\(end.errors)")
    }

    /// Every other writer waits for a transaction, so a large package has several.
    @Test func aLargePackageIsOpenedInSteps() throws {
        let parts = (1...2_300).map { #"{"representations": [{"text": "text \#($0)"}]}"# }
        try trial.folder.share("in/large", title: "large", parts.joined(separator: ", "))
        #expect(try trial.ingest(["--no-sandbox"]).status == 0)
        try trial.install(["good"])
        #expect(try backfill("--dry-run").report.count == count(added: 2_300))
        #expect(try backfill().report.count == count(added: 2_300))
        #expect(try backfill().report.count == count(done: 2_300))
    }

    @Test func replacedAndForgottenContentIsNotOpened() throws {
        let file = try trial.folder.write("in/note.txt", "the first words")
        #expect(try trial.program.ingest(file).status == 0)
        try trial.folder.write("in/note.txt", "the second words, which are longer")
        #expect(try trial.program.ingest(file).status == 0)
        try trial.install(["good", "--record", trial.record])
        #expect(try backfill("words").report.count == count(added: 1))
        #expect(try trial.handed().compactMap { $0.parts.first?.size } == [34])
    }

    /// The parts of a delivery have the roles that they had for the sinks before.
    @Test func theRolesAreThoseOfTheGroup() throws {
        let rules = GroupPolicy.standard
        #expect(rules.roles(rule: "single", types: [.plainText]) == [.content])
        #expect(rules.roles(rule: "live photo", types: [MediaType("image/heic"), nil]) == [.content, .movie])
        let link = MediaType("text/uri-list")
        #expect(
            rules.roles(
                rule: "link with its icon, link with a caption", types: [link, MediaType("image/png"), .plainText])
                == [.content, .preview, .caption])
        #expect(
            rules.roles(
                rule: GroupPolicy.declared,
                types: [MediaType("image/heic"), MediaType("video/quicktime"), MediaType("image/jpeg")])
                == [.content, .movie, .content])
        #expect(
            rules.roles(
                rule: "live photo, sidecar",
                types: [MediaType("image/heic"), MediaType("video/quicktime"), MediaType("application/rdf+xml")])
                == [.content, .movie, .sidecar])
    }

    @Test(arguments: [
        (["--backfill", "nosuchsink"], 1, "no enabled sink has the identifier 'nosuchsink'"),
        (["in:Invoices"], 64, "needs --backfill SINK"), (["--dry-run"], 64, "--dry-run needs --backfill SINK"),
        (["--backfill", "keep", "--dismiss", "keep"], 64, "--dismiss makes no delivery"),
        (["--backfill", "keep", "--retry", "keep"], 64, "--backfill and --retry cannot be used together"),
        (["--backfill", "keep", "--dry-run", "--wait"], 64, "--dry-run makes no delivery"),
    ])
    func aMistakeIsExplained(_ arguments: [String], _ status: Int32, _ message: String) throws {
        try takeInTexts()
        let end = try trial.program.run(["deliver"] + arguments)
        #expect(end.status == status)
        #expect(end.errors.contains(message), "\(end.errors)")
    }
}
