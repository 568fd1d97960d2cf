import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import sluice

@Suite struct SummaryTextTests {
    private func text(
        _ summary: Summary, isPlan: Bool = false, stop: Interruption.Cause? = nil,
        rest: SummaryText.Rest? = nil, unlisted: Int = 0, missing: Int = 0,
        addingNothing: Int = 0
    ) -> [String] {
        SummaryText(
            summary: summary, duration: .milliseconds(420), container: "/c", containerOption: " --container /c",
            isPlan: isPlan, stop: stop, rest: rest, unlisted: unlisted, missing: missing,
            addingNothing: addingNothing
        ).lines.map { $0.rendered(color: false) }
    }

    @Test func theSummaryShowsCountsAndTheNextCommand() throws {
        var summary = Summary()
        summary.add(try ReceiptFixtures.accepted())
        summary.add(try ReceiptFixtures.partial())
        summary.add(try ReceiptFixtures.accepted(delivery: "failed"))
        summary.storedBytes = 45_000
        #expect(
            text(summary) == [
                "3 packages in 0.4 s: 2 accepted, 1 partial",
                "1 package has a warning; sluice list --warned --container /c lists it",
                "87 KB, 45 KB of it new",
                "3 deliveries: 1 delivered, 1 failed, 1 pending",
                "container: /c",
                "next: sluice list --failed --container /c   then: sluice show ID --container /c",
                "next: sluice list --quarantined --container /c   then: sluice deliver --retry ID --container /c",
                "next: sluice deliver --container /c makes the open delivery",
            ])
    }

    @Test func countsOfOneAreSingularAndZerosAreOmitted() throws {
        var summary = Summary()
        summary.packages = 1
        summary.skipped = 1
        #expect(text(summary) == ["1 package in 0.4 s: 1 skipped", "container: /c"])
    }

    @Test func anInterruptedRunNamesTheCommandToContinue() {
        var summary = Summary()
        summary.packages = 1
        summary.duplicate = 1
        #expect(
            text(summary, stop: .signal) == [
                "1 package in 0.4 s: 1 duplicate",
                "interrupted before the end; run the same command again for the rest",
                "container: /c",
                "next: the same command again, for the rest",
            ])
        #expect(text(summary, stop: .outputLost)[1].hasPrefix("stopped: standard output cannot be written; "))
    }

    @Test(arguments: [
        (
            Interruption.Cause?.some(.outputLost), true,
            [
                "stopped: standard output cannot be written; run the same command again for the rest",
                "1 delivery is open; sluice deliver tries it",
            ]
        ),
        (.signal, false, ["interrupted before the end; run the same command again for the rest"]),
        (nil, true, ["1 delivery is open; sluice deliver tries it"]), (nil, false, []),
    ])
    func aRunWithoutOutputNamesWhatIsLeft(_ stop: Interruption.Cause?, _ delivers: Bool, _ words: [String]) {
        var summary = Summary()
        (summary.packages, summary.accepted, summary.deliveries.pending) = (1, 1, 1)
        let left = SummaryText(summary: summary, duration: .zero, container: "/c", containerOption: "", stop: stop)
            .left(delivers: delivers)
        #expect(left.count == words.count)
        for (line, words) in zip(left, words) {
            let text = line.rendered(color: false)
            #expect(text.hasSuffix(words))
        }
    }

    @Test(arguments: [
        (SummaryText.Rest.inputs(350), ": 350 inputs are left"), (SummaryText.Rest.inputs(1), ": 1 input is left"),
        (SummaryText.Rest.unknown, ": the rest of the input is left"), (SummaryText.Rest.inputs(0), ""),
    ])
    func anErrorLeavesARest(_ rest: SummaryText.Rest, _ words: String) {
        var summary = Summary()
        (summary.packages, summary.accepted) = (37, 37)
        #expect(
            text(summary, rest: rest) == [
                "37 packages in 0.4 s: 37 accepted", "ended early\(words)", "container: /c",
                "next: mend what the error names, then the same command again, for the rest",
            ])
    }

    @Test func anEmptyRunIsReported() {
        #expect(
            text(Summary()) == [
                "0 packages in 0.4 s", "nothing to take in: no file was found", "container: /c",
            ])
    }

    @Test func aRerunStoresNothingNew() throws {
        var summary = Summary()
        summary.packages = 1200
        summary.duplicate = 1200
        summary.bytes = 5_000_000
        #expect(text(summary)[0] == "1,200 packages in 0.4 s: 1,200 duplicate")
        #expect(text(summary)[1] == "5 MB, none of it new")
        #expect(text(summary, unlisted: 1_190)[1] == "1,190 more duplicates are not listed; --duplicates lists all")
        #expect(text(summary, unlisted: 1)[1] == "1 more duplicate is not listed; --duplicates lists all")
    }

    @Test func warningsAreCountedByPackage() throws {
        var summary = Summary()
        for name in ["a", "b", "c"] {
            var receipt = try ReceiptFixtures.accepted(name: name)
            if name == "a" { receipt.providers[0].warnings = ["cut off: no end", "named *.b"] }
            if name == "b" { receipt.providers[0].deliveries[0].metadata = ["damaged": true, "problem": "no end"] }
            summary.add(receipt)
        }
        #expect(text(summary)[1] == "2 packages have a warning; sluice list --warned --container /c lists them")
    }

    /// The list of packages with a warning has only those that were stored.
    @Test func onlyStoredPackagesCountAsWarned() throws {
        for outcome in [PackageOutcome.accepted, .partial, .duplicate, .failed, .skipped] {
            var receipt = try ReceiptFixtures.accepted()
            (receipt.outcome, receipt.warnings) = (outcome, ["its sender used the id for other content"])
            let isStored = outcome == .accepted || outcome == .partial
            #expect(Summary(counting: [receipt]).warned == (isStored ? 1 : 0))
        }
    }

    /// A name that does not exist leaves no package to list, and a run of such names no container.
    @Test func aMissingInputHasNoNextCommand() {
        var summary = Summary()
        (summary.packages, summary.failed) = (1, 1)
        #expect(text(summary, missing: 1) == ["1 package in 0.4 s: 1 failed"])
        (summary.packages, summary.failed) = (2, 2)
        #expect(text(summary, missing: 1).dropFirst().first == "container: /c")
        #expect(text(summary, missing: 1).last?.hasPrefix("next: sluice list --failed") == true)
    }

    /// A part of an earlier package is no package to list, but the run has a container.
    @Test func aPartOfAnEarlierPackageHasNoNextCommand() throws {
        var receipt = try ReceiptFixtures.partial()
        (receipt.duplicateOf, receipt.warnings) = ("other", ["a warning"])
        for place in receipt.providers.indices { receipt.providers[place].deliveries = [] }
        let summary = Summary(counting: [receipt])
        #expect(receipt.addsNothing && summary.warned == 0)
        let lines = text(summary, addingNothing: 1)
        #expect(lines.first == "1 package in 0.4 s: 1 partial" && lines.last == "container: /c", "\(lines)")
        #expect(text(summary).last?.hasPrefix("next: sluice list --failed") == true)
    }

    @Test func aDryRunUsesTheConditional() throws {
        var summary = Summary()
        summary.add(try ReceiptFixtures.partial())
        #expect(
            text(summary, isPlan: true) == [
                "1 package in 0.4 s: 1 partial", "1 package has a warning",
                "3 KB, all of it new; nothing was stored",
                "1 delivery would be made",
                "container: /c",
            ])
    }

    @Test func exitStatusesFollowTheSummary() throws {
        var summary = Summary()
        summary.add(try ReceiptFixtures.accepted())
        #expect(ExitStatus(summary, delivers: true) == .success)
        summary.add(try ReceiptFixtures.accepted(delivery: "pending"))
        #expect(ExitStatus(summary, delivers: true) == .incomplete)
        #expect(ExitStatus(summary, delivers: false) == .success)
        summary.add(try ReceiptFixtures.accepted(delivery: "quarantined"))
        #expect(ExitStatus(summary, delivers: false) == .incomplete)
        #expect(ExitStatus(IngestionError.Code.container) == .container)
        #expect(ExitStatus(IngestionError.Code.usage) == .usage)
        #expect(ExitStatus(IngestionError.Code.notFound) == .incomplete)
    }
}
