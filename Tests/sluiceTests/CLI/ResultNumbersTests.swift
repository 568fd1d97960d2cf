import Files
import Foundation
import Ingestion
import SystemPackage
import Testing

@testable import sluice

/// A person names a result of the last list by its number.
@Suite struct ResultNumbersTests {
    private let folder: TestFolder
    private var file: FilePath { folder["state/sluice/results"] }

    init() throws { folder = try TestFolder(inMemory: true) }

    private func save(_ ids: [String], _ container: FilePath = "/c") {
        var numbers = ResultNumbers(of: container)
        for (place, id) in ids.enumerated() { #expect(numbers.add(id) == place + 1) }
        numbers.save(to: file)
    }

    private func id(_ word: String, _ container: FilePath = "/c") throws -> String {
        try ResultNumbers.id(of: word, in: container, from: file)
    }

    @Test func aNumberNamesALineOfTheLastList() throws {
        save(["aa11", "bb22"])
        #expect(try id("1") == "aa11" && id("2") == "bb22" && id("02") == "bb22")
        save(["cc33"])
        #expect(try id("1") == "cc33")
    }

    /// `forget 4` must not forget a package whose id begins with 4 while another one is the fourth of the list.
    @Test func everyCommandTakesANumber() throws {
        var program = Program(container: folder["container"])
        program.variables["XDG_STATE_HOME"] = folder["state"].string
        let files = try (1...3).map { try folder.write("in/note \($0).txt", "text \($0)") }
        let ids = try files.map { try program.ingest($0, options: ["--no-deliver"]).receipts[0].id }
        var numbers = ResultNumbers(of: folder["container"])
        for id in ids { _ = numbers.add(id) }
        numbers.save(to: file)
        #expect(try program.run(["tag", "2", "+draft"]).output.contains("note 2.txt"))
        #expect(try program.run(["forget", "3"]).output.contains("note 3.txt"))
        #expect(try program.run(["export", folder["bag"].string, "1"]).status == 0)
        #expect(Disk.files(below: folder["bag"]).contains { $0.hasSuffix("note 1.txt") })
        #expect(try program.run(["list", "--json"]).messages.compactMap(\.package?.id) == ids.dropLast())
        #expect(try program.run(["deliver", "--retry", "9"]).errors.contains("the last list had 3 lines"))
    }

    @Test(arguments: ["-1", "1234", "4f3", "a", "", "1.0"]) func anotherWordIsAnIdentifier(_ word: String) throws {
        save(["aa11"])
        #expect(try id(word) == word)
    }

    /// The numbers on the screen may be lost. `tag 1 +word` must not tag a package whose id begins with 1.
    @Test(arguments: ["0", "1", "02", "999"]) func aNumberWithoutAListIsRefused(_ word: String) throws {
        let error = #expect(throws: IngestionError.self) { try id(word) }
        #expect(error?.message.contains("there was no list on a terminal, so \(Int(word) ?? 0) names nothing") == true)
        #expect(throws: IngestionError.self) { try ResultNumbers.id(of: word, in: "/c", from: nil) }
    }

    /// Another terminal shows another list, and a package cannot be brought back.
    @Test func forgetWantsTheListOfItsTerminal() throws {
        var program = Program(container: folder["container"])
        program.variables["XDG_STATE_HOME"] = folder["state"].string
        let receipt = try program.ingest(folder.write("in/note.txt", "text"), options: ["--no-deliver"]).receipts[0]
        var numbers = ResultNumbers(of: folder["container"])
        _ = numbers.add(receipt.id)
        #expect(numbers.save(to: file, session: 1))
        let refused = try program.run(["forget", "1"])
        #expect(refused.status != 0 && refused.errors.contains("was printed on another terminal, so 1 names nothing"))
        #expect(try program.run(["tag", "1", "+kept"]).status == 0)
        #expect(numbers.save(to: file))
        #expect(try program.run(["forget", "1"]).status == 0)
    }

    @Test func aListWithoutAFileForItsNumbersHasNone() throws {
        var program = Program(container: folder["container"])
        program.variables["TERM"] = "dumb"
        _ = try program.ingest(folder.write("in/note.txt", "text"), options: ["--no-deliver"])
        try folder.write("file", "")
        for (state, isNumbered) in [("state", true), ("file/x", false)] {
            let terminal = try PseudoTerminal()
            let end = try terminal.open()
            program.variables["XDG_STATE_HOME"] = folder[state].string
            let process = try program.start(
                ["list"], input: "/dev/null", scratch: folder, output: FileHandle(fileDescriptor: end.rawValue))
            let lines = try terminal.read(orEndOf: process)
            try end.close()
            #expect(lines.contains("note.txt") && lines.contains("  1  ") == isNumbered, "\(lines)")
        }
    }

    @Test func aNumberOfAnotherListIsRefused() throws {
        save(["aa11"])
        #expect(throws: IngestionError.self) { try id("2") }
        #expect(throws: IngestionError.self) { try id("1", "/other") }
    }

    /// The numbers of the list before would name other packages than those that the person sees.
    @Test(arguments: [["list"], ["search", "note"], ["search", "nosuchword"], ["list", "--json"]])
    func aListInAPipeEndsTheNumbers(_ arguments: [String]) throws {
        var program = Program(container: folder["container"])
        program.variables = ["XDG_STATE_HOME": folder["state"].string, "TERM": "xterm"]
        let receipt = try program.ingest(folder.write("in/note.txt", "text"), options: ["--no-deliver"]).receipts[0]
        save([receipt.id], folder["container"])
        _ = try program.run(arguments)
        #expect(try program.run(["tag", "1", "+seen"]).status == 0, "a program's list is no list of a person")
        let terminal = try PseudoTerminal()
        let output = Pipe()
        let end = try terminal.open()
        let process = try program.start(
            arguments, input: "/dev/null", scratch: folder, output: output,
            errors: FileHandle(fileDescriptor: end.rawValue))
        _ = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        try end.close()
        #expect(process.terminationStatus == (arguments.contains("nosuchword") ? 1 : 0))
        let tag = try program.run(["tag", "1", "+draft"])
        if arguments.contains("--json") || arguments.contains("nosuchword") {
            #expect(tag.status == 0, "a person sees no new list")
        } else {
            #expect(tag.status != 0 && tag.errors.contains("the last list had no numbers, so 1 names nothing"))
        }
    }

    @Test func anEmptyListHasNoNumbers() throws {
        save(["aa11"])
        save([])
        let error = #expect(throws: IngestionError.self) { try id("1") }
        #expect(error?.message.contains("had no numbers") == true)
    }

    /// The numbers of the list before would name other packages.
    @Test func numbersThatCannotBeSavedEndThoseBefore() throws {
        save(["aa11"])
        var numbers = ResultNumbers(of: "/c")
        _ = numbers.add("bb22")
        #expect(!numbers.save(to: file, FaultyFileSystem(FaultSchedule(.noSpace, at: 1))))
        #expect(throws: IngestionError.self) { try id("1") }
    }

    @Test func aLongListHasNumbersForItsFirstLines() {
        var numbers = ResultNumbers(of: "/c")
        let all = (1...1_001).map { numbers.add("id\($0)") }
        #expect(all[998] == 999 && all[999] == nil && all[1_000] == nil)
    }

    @Test(arguments: ["", "\n\n\n", "\0\u{FF}"]) func aDamagedFileIsNoList(_ text: String) throws {
        try folder.write("state/sluice/results", text)
        #expect(throws: IngestionError.self) { try id("1") }
    }
}
