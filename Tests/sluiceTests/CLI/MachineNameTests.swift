import ShareModel
import Testing

/// `$SLUICE_MACHINE` names the machine, so that a program with a new home folder in each run knows its files.
@Suite struct MachineNameTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Ingests the file with another text, with a home folder of its own.
    private func ingest(_ text: String, machine: String?) throws -> Receipt {
        var program = Program(container: folder["container"])
        program.variables = ["HOME": folder["home-\(text)"].string, "XDG_STATE_HOME": ""]
        program.variables["SLUICE_MACHINE"] = machine ?? ""
        return try program.ingest(folder.write("in/note.txt", text), options: ["--no-deliver"]).receipt
    }

    @Test func aNamedMachineKnowsItsFilesInAnyHome() throws {
        let first = try ingest("one", machine: "server")
        #expect(try ingest("two", machine: "server").supersedes == first.id)
    }

    /// A plan in a new home folder writes nothing there, and sees another machine, as the run does.
    @Test(arguments: [["ingest", "--dry-run"], ["inspect"]]) func aPlanMakesNoIdentifier(_ plan: [String]) throws {
        _ = try ingest("one", machine: nil)
        let file = try folder.write("in/note.txt", "two")
        var program = Program(container: folder["container"])
        program.variables = ["HOME": folder["home-plan"].string, "XDG_STATE_HOME": "", "SLUICE_MACHINE": ""]
        let planned = try program.run(plan + ["--json", file.string]).receipt
        #expect(planned.outcome == .accepted && planned.supersedes == nil)
        #expect(Disk.files(below: folder["home-plan"]).isEmpty)
        #expect(try ingest("two", machine: nil).supersedes == nil)
    }

    @Test func anotherHomeIsAnotherMachine() throws {
        _ = try ingest("one", machine: nil)
        #expect(try ingest("two", machine: nil).supersedes == nil)
    }
}
