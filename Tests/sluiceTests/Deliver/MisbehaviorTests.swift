import Foundation
import ShareModel
import SystemPackage
import Testing

/// Despite a misbehaving sink, the run ends, all other deliveries arrive, the receipts are right, and nothing is left
/// over.
@Suite struct MisbehaviorTests {
    /// The files for the bundled sinks, each with its sink.
    private static let others = [
        "other.bin": "keep", "page.url": "link-capture", "paper.pdf": "pdf-import", "picture.gif": "image-import",
    ]

    @Test(arguments: MockCase.all)
    func aSinkHurtsOnlyItself(_ mock: MockCase) throws {
        let trial = try DeliveryTrial()
        try trial.install(mock.arguments, stall: mock.stall, startup: mock.startup)
        try trial.writeTexts(1...3)
        try trial.folder.write("in/other.bin", [0, 1, 2, 3])
        try trial.folder.write("in/page.url", "[InternetShortcut]\nURL=https://example.org/\n")
        try trial.folder.write("in/paper.pdf", PDFBuilder(title: "A paper").data)
        try trial.folder.write("in/picture.gif", PictureFixtures.gif)
        let end = try trial.ingest(mock.options)

        let isGood = [.delivered, .declined].contains(mock.outcome)
        #expect(end.status == (isGood ? 0 : 1), "\(end.errors)")
        let records = try trial.records()
        for name in ["t1.txt", "t2.txt", "t3.txt"] {
            let record = try #require(records[name])
            #expect(record.sink == "mock")
            #expect(record.outcome == mock.outcome, "\(record.why ?? "no reason")")
            if let why = mock.why { #expect(record.why?.contains(why) == true, "\(record.why ?? "no reason")") }
            #expect(mock.outcome == .delivered || record.products.isEmpty)
        }
        for (name, sink) in Self.others {
            #expect(records[name]?.sink == sink)
            #expect(records[name]?.outcome == .delivered, "\(name)")
        }
        try trial.checkLedger(end, "the ledger")
    }
}
