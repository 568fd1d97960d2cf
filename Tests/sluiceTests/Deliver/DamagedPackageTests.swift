import ShareModel
import Testing

/// A damaged package fails its own deliveries. The sink goes on with the others.
@Suite struct DamagedPackageTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    /// Packages with a link each, whose deliveries are open.
    private func takeInLinks(_ count: Int) throws {
        for number in 1...count {
            try folder.share("in/\(number)", #"{"representations": [{"link": "https://example.org/\#(number)"}]}"#)
        }
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
    }

    @Test(arguments: ["receipt = '{'", "receipt = x'FF'", "receipt = '[]'", "title = x'FF', receipt = '{'"])
    func onlyItsOwnDeliveryFails(_ damage: String) throws {
        try takeInLinks(2)
        try SQL.run(folder["container"], "UPDATE package SET \(damage) WHERE seq = 1")
        let end = try program.run(["deliver"])
        #expect(end.status == 1, "\(end.errors)")
        let outcomes = try SQL.run(folder["container"], "SELECT package, outcome FROM delivery ORDER BY seq")
        #expect(outcomes == ["1|failed", "2|delivered"], "\(end.output)\(end.errors)")
        let why = try SQL.run(folder["container"], "SELECT why FROM delivery WHERE package = 1")[0]
        #expect(why.contains("'receipt'") && why.contains("verify"), "\(why)")
    }

    /// A newer program may have written it. Deliveries need a part of a receipt.
    @Test func anUnknownWordStopsNoDelivery() throws {
        try takeInLinks(1)
        try SQL.run(
            folder["container"],
            """
            UPDATE package SET receipt = json_set(receipt, '$.providers[0].tried[0].form', 'hologram',
                '$.groups[0].rule', 'constellation', '$.outcome', 'dreamed')
            """)
        #expect(try program.run(["deliver"]).status == 0)
        #expect(try SQL.run(folder["container"], "SELECT outcome FROM delivery") == ["delivered"])
        let shown = try program.run(["show", try SQL.run(folder["container"], "SELECT id FROM package")[0]])
        #expect(shown.errors.contains("outcome has a value that this program does not know"), "\(shown)")
    }

    /// The row of a delivery that cannot be read stays as it is, and a verification names it.
    @Test(arguments: ["lead = 'zz'", "payload = x'FF'"])
    func onlyADamagedDeliveryIsNotMade(_ damage: String) throws {
        try takeInLinks(3)
        try SQL.run(folder["container"], "UPDATE delivery SET \(damage) WHERE package = 1")
        for options in [[], ["--backfill", "link-capture"]] {
            let end = try program.run(["deliver"] + options)
            #expect(end.status == 1, "\(options): \(end.errors)")
        }
        let outcomes = try SQL.run(folder["container"], "SELECT outcome FROM delivery ORDER BY seq")
        #expect(outcomes == ["pending", "delivered", "delivered"])
        #expect(try program.run(["verify"]).output.contains("1 record of 'delivery' cannot be read"))
    }

    /// A number that no program writes counts as 0, and the delivery is made.
    @Test(arguments: [
        "attempts = 9223372036854775807", "fence = 9223372036854775807", "failures = -1", "deaths = x''", "due = -1",
        "fence = '7x'", "fence = 1.5", "attempts = '7x'",
    ])
    func anImpossibleNumberStopsNoDelivery(_ damage: String) throws {
        try takeInLinks(3)
        try SQL.run(folder["container"], "UPDATE delivery SET \(damage) WHERE package = 1")
        #expect(try program.run(["verify"]).status == 1)
        let end = try program.run(["deliver"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try program.run(["list", "--pending"]).output.isEmpty)
        #expect(try program.run(["verify"]).status == 0)
    }

    /// A claim needs no word about the sandbox of an earlier attempt.
    @Test func anUnknownWordKeepsNoDeliveryFromItsSink() throws {
        try takeInLinks(1)
        try SQL.run(folder["container"], "UPDATE delivery SET containment = 'dream'")
        let end = try program.run(["deliver"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try program.run(["verify"]).status == 0)
    }
}
