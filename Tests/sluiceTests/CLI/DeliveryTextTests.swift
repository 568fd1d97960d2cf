import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// The lines of `sluice deliver`, and the reasons of deliveries.
@Suite struct DeliveryTextTests {
    @Test func aDeliveryIsListedWithItsNameAndFoundByItsIdentifier() throws {
        let trial = try DeliveryTrial()
        try trial.install(["good"])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-deliver"]).status == 0)
        let end = try trial.program.run(["deliver"])
        let lines = end.output.split(separator: "\n").filter { $0.hasPrefix("delivered ") }
        #expect(lines.count == 2 && lines[0].hasSuffix("  t1.txt") && lines[1].hasSuffix("  t2.txt"), "\(end)")
        let id = try #require(lines.last?.split(separator: " ").dropLast().last.map(String.init))
        let shown = try trial.program.run(["show", id])
        #expect(shown.status == 0 && shown.output.hasPrefix("t2.txt"), "\(shown)")
        #expect(try trial.program.run(["show", "0123456789abcdef"]).status == 1)
    }

    /// A sink in Python writes a traceback, which ends with the cause.
    @Test func aReasonOfManyLines() {
        let why =
            "the sink ended with status 1; its last words: Traceback (most recent call last):\n  File \"x\"\n\n    y()\r\nValueError: no"
        #expect(
            WhyText.line(why, "")
                == "the sink ended with status 1; its last words: Traceback (most recent call last): … ValueError: no")
        #expect(WhyText.lines(why, "").dropFirst() == ["  File \"x\"", "    y()", "ValueError: no"])
        #expect(WhyText.line("one\ntwo", "") == "one two")
        #expect(WhyText.line("full".with(.makeRoomOrLowerReserve), "").contains("; make room, or lower --reserve,"))
        #expect(WhyText.line("one", "") == "one" && WhyText.line("", "") == "")
        let record = DeliveryRecord(id: "0123456789abcdef", sink: "s", outcome: .failed, why: "a\nb", attempts: 1)
        let text = DeliveryText(record: record, containerOption: "")
        let lines = [text.line(name: "x.txt"), text.trouble]
        #expect(lines.map { $0.rendered(color: false) }.allSatisfy { $0.contains("a b") && !$0.contains("\\n") })
    }

    /// `sluice show` and the run say the same about a full disk. Only the end of a reason is the host's remedy.
    @Test func aRemedyHasTheProgramsWordsInEachForm() {
        let full = "no room for it".with(.makeRoomOrLowerReserve)
        let worded = WhyText.line(full, "")
        #expect(worded.contains("; make room, or lower --reserve,") && worded != full)
        #expect(WhyText.lines(full, "") == [worded])
        #expect(WhyText.lines("log\n\n\(full)\n", "") == ["log", worded])
        #expect(WhyText.line("log\n\(full)", "") == "log \(worded)")
        #expect(WhyText.lines("\(full)\nlog", "") == [full, "log"])
        #expect(WhyText.lines("\n \n", "") == [])
    }

    /// A run beside an agent may end while the agent's transfer goes on.
    @Test func aTransferNamesTheCommandThatShowsIt() {
        let why = "its content is being transferred in the background".with(.listTransfers)
        let record = DeliveryRecord(id: "0123456789abcdef", sink: "upload", outcome: .pending, why: why, attempts: 1)
        let text = DeliveryText(record: record, containerOption: " --container /c")
        let command = "in the background; `sluice transfers --container /c` shows more"
        let news = text.news(name: "a.bin")?.rendered(color: false)
        #expect(news == "! a.bin → upload pending: its content is being transferred \(command)")
        #expect(text.line(name: "a.bin").rendered(color: false).hasSuffix(command))
        let open = OpenDeliveries(sink: "upload", count: 1, due: 0, why: why)
        var needy = open
        needy.needs = .decision
        let lines =
            [open, needy].map { OpenDeliveriesText(open: $0, now: 1, containerOption: " --container /c").line }
            + LoginNotice.lines([needy], " --container /c")
        #expect(lines.count == 3 && lines.allSatisfy { $0.rendered(color: false).hasSuffix(command) }, "\(lines)")
    }

    /// As an ingest does.
    @Test func aQuietDeliveryNamesOnlyTrouble() throws {
        let folder = try TestFolder()
        let program = Program(container: folder["container"])
        let note = try folder.write("a.txt", "a")
        #expect(try program.ingest(note, options: ["--no-deliver"]).status == 0)
        let quiet = try program.run(["deliver", "--quiet"])
        #expect(quiet.status == 0 && quiet.output.isEmpty, "\(quiet)")
        #expect(try program.run(["deliver", "--quiet", "--json"]).status == 64)
        let trial = try DeliveryTrial()
        try trial.install(["exit-at-start"])
        try trial.writeTexts(1...1)
        _ = try trial.ingest(["--no-deliver"])
        let trouble = try trial.program.run(["deliver", "--quiet"])
        #expect(trouble.status == 1 && trouble.output.contains("1 delivery: 1 pending"), "\(trouble)")
        #expect(trouble.output.contains("cannot be started"), "\(trouble.output)")
    }

    /// The reason is the sink's, and not that of one file.
    @Test func aSinkThatCannotBeStartedGivesItsReasonOnce() throws {
        let trial = try DeliveryTrial()
        try trial.install(["exit-at-start"])
        try trial.writeTexts(1...3)
        let end = try trial.program.run(["ingest", trial.folder["in"].string])
        let reasons = end.output.split(separator: "\n").filter { $0.contains("mock pending") }
        #expect(reasons.count == 1 && reasons[0].contains("cannot be started"), "\(end.output)")
        #expect(end.output.contains("3 deliveries: 3 pending"), "\(end.output)")
    }
}
