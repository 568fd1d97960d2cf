import ShareModel
import Testing

/// Parts may have the names of the folders that the host makes for parts.
@Suite struct PartNameTests {
    private let trial: DeliveryTrial

    init() throws {
        trial = try DeliveryTrial()
        try trial.install(["good"])
    }

    @Test(arguments: [[], ["--no-sandbox"]]) func noNameStandsInTheWayOfAnother(_ options: [String]) throws {
        for (place, name) in ["part 1", "part 2", "part 0", "content"].enumerated() {
            let other = #"{"group": "all", "name": "second", "representations": [{"text": "the second of \#(place)"}]}"#
            try trial.folder.share(
                "s\(place)",
                #"{"group": "all", "name": "\#(name)", "representations": [{"text": "the first of \#(place)"}]}"#,
                other,
                #"{"group": "all", "name": "\#(name)", "representations": [{"text": "the third of \#(place)"}]}"#)
            try trial.folder.write("in/\(place)/\(name)", "alone \(place)")
        }
        let shares = (0..<4).map { trial.folder["s\($0).share"].string }
        // Two deliveries of each kind, so that the second uses the slot of the first.
        let end = try trial.program.run(
            ["ingest", "--json"] + options + shares + [trial.folder["in"].string])
        #expect(end.status == 0, "\(end.errors)")
        let records = try end.receipts.flatMap(\.providers).flatMap(\.deliveries)
        #expect(records.count == 8)
        let texts = records.map { $0.metadata.map { "\($0)" } ?? "" }
        for place in 0..<4 {
            for text in ["the first of \(place)", "alone \(place)"] {
                #expect(texts.count { $0.contains(text) } == 1, "\(text)")
            }
        }
        try trial.checkLedger(end, "the ledger")
    }
}
