import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// Several persons share the same in one container. Content goes out once for each of them, and under no other name.
@Suite(.timeLimit(.minutes(5))) struct TwoPersonsTests {
    private let scene: AccountScene
    private let file: FilePath

    init() throws {
        scene = try AccountScene()
        try scene.addAccount(kind: "token", asks: true, "--url", scene.service.address + "/files")
        try scene.addSendFile()
        file = try scene.folder.write("in/a.txt", "the content")
        // A file that has just been written is read again in any case.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: file.string)
    }

    private func logIn(_ user: String) throws { try scene.logIn(secret: "token-of-\(user)") }

    @discardableResult
    private func ingest(_ options: String..., in program: Program? = nil) throws -> Program.End {
        try (program ?? scene.program).ingest(file, options: options)
    }

    @discardableResult
    private func deliver(_ options: String..., in program: Program? = nil) throws -> Program.End {
        try (program ?? scene.program).run(["deliver"] + options)
    }

    /// The persons for whom the service got files, in order.
    private var senders: [String] { get throws { try scene.service.files.compactMap { $0[0].text } } }

    /// A program with another container, on which the same person is logged in.
    private func other(_ user: String) throws -> Program {
        _ = try Container.open(at: scene.folder["other"])
        var other = Program(
            container: scene.folder["other"], sinks: scene.program.sinks, configuration: scene.program.configuration)
        other.variables = scene.program.variables
        let end = try other.run(["account", "login", "notes"], input: "token-of-\(user)\n")
        try #require(end.status == 0, "\(end.errors)")
        return other
    }

    private func export() throws -> FilePath {
        let end = try scene.program.run(["export", scene.folder["bag"].string])
        try #require(end.status == 0, "\(end.errors)")
        return scene.folder["bag"]
    }

    @Test func anUnchangedFileGoesOutForEachPerson() throws {
        try logIn("ada")
        try ingest()
        try logIn("bob")
        let plan = try ingest("--dry-run")
        #expect(
            try plan.receipt.providers.flatMap(\.deliveries).contains {
                $0.sink == "send-file" && $0.outcome == .pending
            }, "\(plan)")
        try ingest()
        try ingest()
        #expect(try senders == ["ada", "bob"])
    }

    @Test func whatAnotherPersonTookOverComesAgainForTheFirst() throws {
        try logIn("bob")
        try ingest("--no-deliver")
        try logIn("ada")
        let end = try deliver("--account", "notes")
        #expect(end.errors.contains("1 delivery of another person goes out"), "\(end)")
        #expect(try senders == ["ada"])
        try logIn("bob")
        try ingest()
        try ingest()
        #expect(try senders == ["ada", "bob"])
        // The bag knows both, so neither goes out again.
        let (bag, other) = (try export(), try other("ada"))
        #expect(try other.ingest(bag).status == 0)
        try deliver(in: other)
        #expect(try senders.count == 2)
        #expect(try scene.service.waiting == 2)
    }

    @Test func whatTheFirstHasIsNotTakenOver() throws {
        try logIn("ada")
        try ingest()
        try logIn("bob")
        try ingest("--no-deliver")
        try logIn("ada")
        let end = try deliver("--account", "notes")
        #expect(!end.errors.contains("goes out with"), "\(end)")
        #expect(try senders == ["ada"])
        #expect(try scene.service.waiting == 1)
        try logIn("bob")
        try ingest()
        #expect(try senders == ["ada", "bob"])
    }

    @Test func whatWasDismissedIsNotRestored() throws {
        let package = try ingest("--no-deliver").receipt.packageID
        let record = try scene.delivery(of: package, to: "send-file")
        #expect(try deliver("--dismiss", record.id).status == 0)
        let (bag, other) = (try export(), try other("ada"))
        #expect(try other.ingest(bag).status == 0)
        try deliver(in: other)
        #expect(try senders.isEmpty)
    }

    @Test func aBagOfAnotherPersonSendsNothing() throws {
        try logIn("ada")
        try ingest()
        let (bag, other) = (try export(), try other("bob"))
        #expect(try other.ingest(bag).status == 0)
        try deliver(in: other)
        #expect(try senders == ["ada"])
        try ingest(in: other)
        #expect(try senders == ["ada", "bob"])
    }

    /// The first attempt of what was nobody's has bound it. An heir has the same person.
    @Test func anHeirKeepsThePerson() throws {
        let first = try ingest("--no-deliver").receipt.packageID
        try ingest("--no-deliver", "--title", "second")
        try scene.service.change(["files_status": 503])
        try logIn("ada")
        try deliver()
        try scene.service.change(["files_status": 0])
        try logIn("bob")
        #expect(try scene.program.run(["forget", first]).status == 0)
        try deliver()
        #expect(try senders.isEmpty)
        try logIn("ada")
        try deliver()
        #expect(try senders == ["ada"])
    }

    @Test func aPersonMakesNobodysTheirs() throws {
        try ingest("--no-deliver")
        try logIn("ada")
        try ingest("--no-deliver")
        try ingest("--no-deliver", "--title", "second")
        try logIn("bob")
        try deliver()
        #expect(try senders.isEmpty)
        try logIn("ada")
        try deliver()
        #expect(try senders == ["ada"])
    }
}
