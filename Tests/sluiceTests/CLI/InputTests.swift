import Foundation
import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import Reading
@testable import sluice

/// The ways to name an input: paths, web addresses, lists of them, and a text.
@Suite struct InputTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func ingest(_ arguments: [String], input: String = "") throws -> Program.End {
        try program.run(["ingest", "--json", "--no-deliver"] + arguments, input: input)
    }

    // MARK: - Addresses

    @Test(arguments: [
        ("https://example.org/a", true), ("http://a", true), ("HTTP://A", true), ("hTtPs://", true),
        ("ftp://a", false), ("https:/a", false), ("./https://a", false), ("/https://a", false), ("https", false),
        (" https://a", false), ("mailto:a@b", false), ("-", false), ("", false),
    ])
    func aWebAddressIsNoPath(_ text: String, _ isLink: Bool) {
        let address = InputAddress(bytes: Array(text.utf8))
        #expect(address == (isLink ? .link(text) : .path(FilePath(text))))
        #expect(address.path == (isLink ? nil : FilePath(text)))
    }

    /// A link keeps its text, and its source is named by the address without the scheme.
    @Test func aWebAddressComesInAsALink() throws {
        try folder.write("in/a.txt", "a")
        let end = try ingest(["https://Example.org/a?b#c", folder["in"].string])
        let receipts = try end.receipts
        #expect(end.status == 0 && receipts.map(\.outcome) == [.accepted, .accepted])
        #expect(receipts[0].source.kind == .link && receipts[0].source.path == "Example.org/a?b#c")
        let provider = try #require(receipts[0].providers.first)
        #expect(provider.type == .uriList && provider.sha256 == Digest(of: "https://Example.org/a?b#c"))
        #expect(try ingest(["https://Example.org/a?b#c"]).receipt.outcome == .duplicate)
        let shown = try program.run(["ingest", "--no-deliver", "https://example.org/lakes"])
        #expect(shown.status == 0 && shown.output.contains("accepted   example.org/lakes "), "\(shown.output)")
    }

    /// Each address is a source of its own, although a path drops slashes.
    @Test func addressesThatLookAlikeAreSeveral() throws {
        let addresses = [
            "https://a.example/a", "https://a.example/a/", "https://a.example//a", "http://a.example/a",
            "HTTPS://a.example/a", "https://http://a.example/a",
        ]
        for outcome in [PackageOutcome.accepted, .duplicate, .duplicate] {
            let plan = try program.run(["inspect", "--json"] + addresses).receipts
            let receipts = try ingest(addresses).receipts
            for receipts in [plan, receipts] {
                #expect(receipts.map(\.outcome) == addresses.map { _ in outcome })
                #expect(receipts.allSatisfy { $0.supersedes == nil })
            }
            #expect(
                receipts.map(\.source.path) == [
                    "a.example/a", "a.example/a/", "a.example//a", "http://a.example/a", "HTTPS://a.example/a",
                    "https://http://a.example/a",
                ])
        }
        let listed = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(listed.count == addresses.count && listed.allSatisfy { $0.supersededBy == nil })
        #expect(Set(listed.map(\.source.path)).count == addresses.count)
        // The same address with a title is another version of its package.
        let titled = try ingest(["--title", "A page", addresses[1]]).receipt
        #expect(titled.supersedes == listed.first { $0.source.path == "a.example/a/" }?.id)
        let library = try program.run(["library", "--json"])
        #expect(library.output.contains("\"added\":\(addresses.count)"), "\(library.output)")
    }

    // MARK: - File URLs

    /// As file managers put them on the clipboard.
    @Test(arguments: ["file://", "file://localhost", "FILE://", "file:"])
    func aFileURLIsItsFile(_ scheme: String) throws {
        let file = try folder.write("in/My photo 100%.txt", "a")
        let url = "\(scheme)\(folder["in"])/My%20photo%20100%25.txt"
        let receipt = try ingest([url]).receipt
        #expect(receipt.outcome == .accepted && receipt.source.kind == .file && receipt.source.path == file.string)
        #expect(try program.ingest(file).receipt.outcome == .duplicate, "it is the file itself")
        #expect(try ingest(["--files-from", "-"], input: url).receipt.outcome == .duplicate)
        let shared = try program.run(["share", "--json", url])
        #expect(try shared.status == 0 && shared.receipt.outcome == .duplicate, "\(shared)")
    }

    @Test(arguments: [
        ("file://server.example/a.txt", "it names a file on another host, server.example"),
        ("file:///a%00.txt", "it hides a slash or a NUL behind '%'"),
        ("file:///tmp%2Fa.txt", "it hides a slash or a NUL behind '%'"),
        ("file:///a%zz", "it has a '%' without two hexadecimal digits"),
        ("file:///a?b", "the file URL has a ?; write it as %3F"),
        ("file:///a#b", "the file URL has a #; write it as %23"),
        ("file:///tmp#\u{301}b", "the file URL has a #; write it as %23"),
        ("file:/\u{301}tmp?\u{301}", "the file URL has a ?; write it as %3F"),
        ("file:///a\nfile:///b", "the file URL has a control character; write each URL by itself"),
        ("file:///a\rb", "the file URL has a control character; write each URL by itself"),
        ("file://", "it names no file"),
        ("file:a.txt", "a file URL has the whole path: file:///PATH"),
    ])
    func aFileURLOfNoFileFails(_ url: String, _ why: String) throws {
        let end = try program.run(["ingest", "--no-deliver", url, folder.write("there.txt", "text").string])
        #expect(end.status == 1 && end.output.contains(why), "\(end)")
        #expect(end.output.contains("there.txt "), "the rest comes in")
        let shared = try program.run(["share", url])
        #expect(shared.status == 11 && shared.errors.contains(why), "\(shared)")
        #expect(try program.run(["list", "--json"]).messages.count == 1, "it leaves no package")
    }

    /// A list of the type `text/uri-list` has such lines.
    @Test func aLineOfURLsMayEndWithACarriageReturn() throws {
        let list = "file:///a%20b\r\nhttps://a.example/c\r\nfile:///a\rb\r\n"
        let found = try entries(Array(list.utf8))
        #expect(found.prefix(2) == ["/a b", "link https://a.example/c"])
        #expect(found.count == 3 && found[2].hasPrefix("unusable file:///a\rb"))
    }

    /// A URL has bytes as percent signs with digits.
    @Test(arguments: ["file:///a", "https://a.example/"]) func aURLIsUTF8(_ url: String) throws {
        let why = "it is not UTF-8; write its other bytes as % and two digits, such as %E9"
        #expect(try entries(Array(url.utf8) + [0xE9, 0x0A]) == ["unusable \(url)\u{FFFD} \(why)"])
    }

    /// Only what begins like an absolute URL is one.
    @Test func aFileMayHaveTheNameOfAFileURL() throws {
        try folder.write("file:/a", "a file")
        #expect(try ingest(["\(folder.path)/./file:/a"]).receipt.outcome == .accepted)
        #expect(InputAddress(bytes: Array("./file:/a".utf8)) == .path("./file:/a"))
        #expect(InputAddress(bytes: Array("file:a".utf8)) == .path("file:a"))
    }

    @Test func aFileMayHaveTheNameOfAnAddress() throws {
        try folder.write("https:/a", "a file")
        let end = try ingest(["\(folder.path)/https:/a", "\(folder.path)/./https:/a"])
        #expect(try end.receipts.map(\.source.kind) == [.file, .file])
    }

    // MARK: - Lists

    private func open(_ name: String, _ separator: UInt8) throws -> (list: AddressList, file: FileDescriptor) {
        let file = try FileDescriptor.open(folder[name], .readOnly)
        return (AddressList(reading: file, named: FilePath(name), separator: separator), file)
    }

    @Test func aPipedAddressNeedsAHost() throws {
        let end = try Program(container: folder["container"]).run(["ingest", "--no-deliver", "-"], input: "https://\n")
        #expect(end.status == 1 && end.output.contains("the web address names no host; write it in full"), "\(end)")
    }

    /// A name that is no file may be something that a person meant otherwise.
    @Test(arguments: [
        ("ftp://example.org/a", "to take in a web address, begin it with http:// or https://"),
        ("mailto:ada@example.org", "to take in a web address, begin it with http:// or https://"),
        ("example.org/page?id=1", "to take in a web address, begin it with http:// or https://"),
        ("notes.2/page", "check the name"),
        ("../page", "check the name"),
        ("www.example.org", "to take in a web address, begin it with http:// or https://"),
        ("https://", "the web address names no host; write it in full"),
        ("HTTP:///path", "the web address names no host; write it in full"),
        ("https://?query", "the web address names no host; write it in full"),
        ("https://a.example/\nhttps://b.example/", "write each address by itself"),
        ("https://a.example/a b", "write each address by itself"),
        ("a.txt\nb.txt", "the name has a line feed: quote each name by itself, or leave out -0"),
        ("a.txt\r", "the name ends in a carriage return: end the lines with line feeds alone"),
        ("c:/a.txt", "check the name"),
        ("12:30 notes.txt", "check the name"),
        ("no such file", "check the name"),
    ])
    func aMissingInputGetsAHint(_ name: String, _ hint: String) throws {
        let program = Program(container: folder["container"])
        let alone = try program.run(["ingest", "--no-deliver", name])
        #expect(alone.status == 1 && alone.output.contains("\(hint)\n"), "\(alone)")
        #expect(try program.run(["list"]).output.isEmpty)
        let beside = try program.run(["ingest", "--no-deliver", name, folder.write("there.txt", "text").string])
        #expect(beside.status == 1 && beside.output.contains("\(hint)\n"), "\(beside)")
    }

    /// A walk passes these by. A name means that something is wanted of them.
    @Test func aNameOfNoFileFails() throws {
        let note = try folder.write("in/note.txt", "a note").string
        let (fifo, broken) = (folder["in/fifo"].string, folder["in/broken"].string)
        try #require(mkfifo(fifo, 0o600) == 0 && symlink("nowhere", broken) == 0)
        let remedy = "; pass its bytes through standard input: `… | sluice ingest - --name NAME`\n"
        for (name, words) in [
            (fifo, "it is a FIFO, not a file\(remedy)"), ("/dev/null", "it is a device, not a file\n"),
            (broken, "it is a symbolic link, and its target is missing; check the link\n"),
        ] {
            let end = try program.run(["ingest", "--no-deliver", name, note])
            #expect(end.status == 1 && end.output.contains(words), "\(end)")
            #expect(end.output.contains("note.txt "), "the rest comes in")
            #expect(try ingest(["--files-from", "-"], input: name).receipts.map(\.outcome) == [.failed])
        }
        let walked = try ingest([folder["in"].string])
        #expect(walked.status == 0)
        #expect(try walked.receipts.map(\.outcome).filter { $0 == .skipped }.count == 2)
        #expect(try program.run(["list", "--json"]).messages.count == 1, "a failed name leaves no package")
    }

    /// A shell gives the program a pipe without a name, as `/dev/fd/63`.
    @Test func aProcessSubstitutionFails() throws {
        var program = program
        program.executable = try folder.write(
            "substituting",
            "#!/bin/bash\nexec '\(Program.folder.appending(path: "sluice").path)' \"$@\" <(echo bytes)\n", mode: 0o755)
        let end = try program.run(["ingest", "--no-deliver"])
        #expect(end.status == 1, "\(end)")
        #expect(end.output.contains("it is a FIFO, not a file; pass its bytes"), "\(end.output)")
    }

    /// An entry of a list, as text: its address, or the error.
    private func entries(_ bytes: [UInt8], _ separator: Character = "\n") throws -> [String] {
        try folder.write("list", bytes)
        var (list, file) = try open("list", separator.asciiValue ?? 0)
        defer { try? file.close() }
        var entries: [String] = []
        while true {
            do throws(ReadingError) {
                switch try list.next() {
                case .path(let path): entries.append(path.string)
                case .link(let link): entries.append("link \(link)")
                case .unusable(let url, let why): entries.append("unusable \(url) \(why)")
                case nil: return entries
                }
            } catch {
                entries.append("\(error.code) \(error.message)")
            }
        }
    }

    @Test(
        arguments: [
            ("a\nb\n", "\n", ["a", "b"]), ("a\nb", "\n", ["a", "b"]), ("\n\na\n\n", "\n", ["a"]), ("", "\n", []),
            (" a \n#b\n-\n", "\n", [" a ", "#b", "-"]), ("a\0b\0", "\0", ["a", "b"]),
            ("a\nb\0\0c", "\0", ["a\nb", "c"]),
            ("https://a/b\na\r\n", "\n", ["link https://a/b", "a\r"]),
            ("a\nb\0c\nd\n", "\n", ["a", "malformed list: line 2 contains a NUL", "d"]),
        ] as [(String, Character, [String])])
    func aListHasAnAddressOnEachLine(_ text: String, _ separator: Character, _ expected: [String]) throws {
        #expect(try entries(Array(text.utf8), separator) == expected)
    }

    @Test func aLineIsLimited() throws {
        let long = Array(repeating: UInt8(ascii: "x"), count: (1 << 20) + 1)
        let found = try entries(long + Array("\na\n".utf8))
        #expect(found == ["limit list: line 1 is longer than 1048576 bytes", "a"])
    }

    @Test func aListThatCannotBeReadEnds() throws {
        try folder.write("in/a.txt", "a")
        let end = try ingest(["--files-from", folder["in"].string])
        #expect(end.status == 1, "a folder can be opened, and not read")
        #expect(try end.receipt.reason?.contains("in cannot be read: Is a directory") == true)
    }

    @Test(arguments: [
        ["--files-from", "LIST"], ["--files-from", "-"], ["--files-from", "LIST", "-0"], ["--files-from=-", "--null"],
    ])
    func aListIsTakenIn(_ arguments: [String]) throws {
        for name in ["in/a b.txt", "in/sub/c.txt", "d.txt", "-"] { try folder.write(name, "content of \(name)") }
        let end: Character = arguments.count > 2 || arguments.last == "--null" ? "\0" : "\n"
        let names = ["in", "https://example.org/rivers", "in/../d.txt", "missing", "", "-"]
        let text = names.map { name in
            // A list may name the file `-`, which an argument cannot.
            (name.isEmpty || name.hasPrefix("https:") ? name : folder[name].string) + String(end)
        }.joined()
        let file = try folder.write("list", text).string
        let run = try ingest(arguments.map { $0 == "LIST" ? file : $0 }, input: text)
        #expect(run.status == 1)
        let found = try run.receipts.map { receipt in
            "\(receipt.outcome) \(receipt.source.kind) \(receipt.source.path.split(separator: "/").last ?? "")"
        }
        #expect(
            found == [
                "accepted file a b.txt", "accepted file c.txt", "accepted link rivers", "accepted file d.txt",
                "failed other missing", "accepted file -",
            ])
    }

    /// `find -print0` separates names by zero bytes, because a name may have a line feed.
    @Test func aNameMayHaveALineFeed() throws {
        let name = "two\nlines.txt"
        try folder.write("in/\(name)", "a")
        let list = "\(folder["in"])/\(name)"
        #expect(try ingest(["--files-from", "-", "-0"], input: list + "\0").receipt.outcome == .accepted)
        let wrong = try ingest(["--files-from", "-"], input: list)
        #expect(try wrong.receipts.map(\.outcome) == [.failed, .failed])
        let nul = try ingest(["--files-from", "-"], input: list + "\0")
        let reason = try #require(try nul.receipts.last?.reason)
        #expect(reason == "standard input: line 2 contains a NUL; paths of find -print0 are read with -0")
    }

    /// A wrong line fails its run. It leaves no package, because there is nothing to try again.
    @Test func aWrongLineLeavesNoPackage() throws {
        try folder.write("a.txt", "a")
        let end = try ingest(["--files-from", "-"], input: "x\0y\n\(folder["a.txt"])\n")
        #expect(end.status == 1)
        #expect(try end.receipts.map(\.outcome) == [.failed, .accepted])
        #expect(try program.run(["list", "--json"]).messages.compactMap(\.package).map(\.outcome) == [.accepted])
    }

    @Test func aListThatIsMissingIsAWrongArgument() throws {
        let end = try ingest(["--files-from", folder["none"].string])
        #expect(end.status == 64)
        #expect(end.errors.contains("none cannot be read: No such file or directory; name a readable file"))
        #expect(Disk.names(in: folder.path).isEmpty, "no container is made")
    }

    /// A walk over their folder makes one package of these.
    @Test func filesThatAreNamedArePackagesOfTheirOwn() throws {
        let files = [
            try folder.write("in/a.jpg", [0xFF, 0xD8, 0xFF, 0xE0]).string,
            try folder.write("in/a.xmp", "<x:xmpmeta/>").string,
        ]
        let list = files.joined(separator: "\n")
        for arguments in [files, ["--files-from", "-"]] {
            let receipts = try program.run(["inspect", "--json"] + arguments, input: list).receipts
            #expect(receipts.map(\.source.kind) == [.file, .file])
        }
        let walked = try program.run(["inspect", "--json", folder["in"].string]).receipt
        #expect(walked.source.kind == .group)
    }

    /// Nothing is taken in, perhaps because the program before it failed.
    @Test(arguments: [("", false), ("\n\n", false), ("", true), ("\0", true)])
    func anEmptyListIsAWrongArgument(_ text: String, _ isNull: Bool) throws {
        let list = try folder.write("lists/list", text).string
        for name in ["-", list] {
            for command in ["ingest", "inspect"] {
                let end = try program.run([command, "--files-from", name] + (isNull ? ["-0"] : []), input: text)
                #expect(end.status == 64, "\(end)")
                let words = isNull ? "each ended by a zero byte" : "each on a line of its own"
                let expected = "lists no input; it needs paths or web addresses, \(words)"
                #expect(end.errors.contains((name == "-" ? "standard input " : "list ") + expected), "\(end.errors)")
            }
        }
        #expect(Disk.names(in: folder.path) == ["lists"], "no container is made")
    }

    /// Looking at the first line takes nothing away.
    @Test func aListIsLookedAt() throws {
        for (text, expected) in [("", []), ("\n\na\nb", ["a", "b"])] as [(String, [FilePath])] {
            try folder.write("list", text)
            var (list, file) = try open("list", UInt8(ascii: "\n"))
            defer { try? file.close() }
            for _ in 1...2 {
                let isAtEnd = list.isAtEnd()
                #expect(isAtEnd == expected.isEmpty)
            }
            for path in expected { #expect(try list.next() == .path(path)) }
            #expect(try list.next() == nil)
        }
        try folder.write("list", "a\0\nb")
        var (list, file) = try open("list", UInt8(ascii: "\n"))
        defer { try? file.close() }
        let isAtEnd = list.isAtEnd()
        #expect(!isAtEnd)
        #expect(throws: ReadingError.self) { try list.next() }
        #expect(try list.next() == .path("b"))
    }

    /// More lines than a batch holds.
    @Test func aListMayBeLong() throws {
        for number in 0..<300 { try folder.write("in/\(number).txt", "note \(number)") }
        let list = (0..<300).map { "\(folder["in"])/\($0).txt\n" }.joined()
        let receipts = try ingest(["--files-from", "-"], input: list).receipts
        #expect(receipts.map(\.source.path) == list.split(separator: "\n").map(String.init))
        #expect(receipts.allSatisfy { $0.outcome == .accepted })
    }

    // MARK: - Arguments

    /// What the arguments name, as text.
    private func input(_ arguments: [String]) throws -> String {
        switch try Ingest.parse(arguments).inputs.input {
        case .addresses(let all): "addresses \(all.map { $0.path?.string ?? "link" }.joined(separator: " "))"
        case .list(let path, let separator): "list \(path) \(separator)"
        case .standardInput(let name): "standard input \(name ?? "")"
        case .package(let package): "package \(package.items[0].title ?? "") \(package.items[0].text ?? "")"
        }
    }

    @Test(arguments: [
        (["a", "https://b", "./-"], "addresses a link ./-"), (["--", "-a"], "addresses -a"), (["-"], "standard input "),
        (["-", "--name", "a b.pdf"], "standard input a b.pdf"),
        (["-", "--name", "a.pdf", "--text", "t"], "standard input a.pdf"), (["--text", "t", "-"], "standard input "),
        (["--files-from", "l"], "list l 10"), (["--files-from", "-", "-0"], "list - 0"),
        (["--text", "t"], "package  t"), (["--title", "T", "--text", "t"], "package T t"),
        (["--text", "t", "a"], "addresses a"),
    ])
    func theArgumentsNameTheInput(_ arguments: [String], _ expected: String) throws {
        #expect(try input(arguments) == expected)
    }

    @Test func theMessagesNameTheOtherWay() throws {
        for (arguments, words) in [
            (["a", "-"], "For a file of that name: ./-"), (["-", "-"], "must be the only path"),
            (["--files-from", "l", "a"], "in one way: PATH or --files-from"), (["-0", "a"], "-0 needs --files-from"),
            (["--name", "n", "a"], "so the only PATH is '-'"), (["--name", "", "-"], "such as report.pdf"),
        ] {
            let error = try #require(throws: (any Error).self) { try Ingest.parse(arguments) }
            #expect(Ingest.message(for: error).contains(words), "\(arguments)")
        }
    }

    @Test func theHelpListsTheWays() throws {
        for command in ["ingest", "inspect"] {
            let help = try program.run(["help", command]).output
            for option in ["<path>", "--files-from", "-0, --null", "--name", "--title", "--text", "--exclude"] {
                #expect(help.contains(option), "\(command) \(option)")
            }
            let words = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            #expect(words.contains("A file that is named here is a package of its own"), "\(command)")
        }
    }

    /// A text is the input, and the bytes in a pipe would be lost without a word. A file is not mentioned: a loop over its
    /// lines leaves the rest on purpose.
    @Test(arguments: [["ingest", "--no-deliver"], ["inspect"]])
    func aPipeBesideATextIsNamed(_ command: [String]) throws {
        let pipe = folder["pipe"]
        try #require(mkfifo(pipe.string, 0o600) == 0)
        let writer = try FileDescriptor.open(pipe, .readWrite, options: .closeOnExec)
        defer { try? writer.close() }
        func notes(_ input: FilePath, _ options: String...) throws -> [Substring] {
            let end = try program.run(command + ["--text", "a note"] + options, from: input)
            #expect(end.status == 0, "\(end)")
            return end.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }
        }
        #expect(try notes(pipe) == [], "the pipe is empty")
        try writer.writeAll("a line\n".utf8)
        let note = "note: standard input was not read, because --text is the input; add '-' to take in both"
        #expect(try notes(pipe) == [note[...]])
        #expect(try notes(pipe, "--json") == [note[...]])
        #expect(try notes(pipe, "https://example.org/a") == [], "the text is a caption")
        #expect(try notes(folder.write("list", "a line\n")) == [])
        var unread: Int32 = 0
        try #require(ioctl(writer.rawValue, UInt(FIONREAD), &unread) == 0)
        #expect(unread == 7, "nothing was read")
    }

    /// Both commands take the same inputs, and make the same decisions.
    @Test func inspectTakesTheSameInputs() throws {
        let file = try folder.write("in/a.txt", "a").string
        for (arguments, input) in [
            (["https://example.org/a"], ""), (["--files-from", "-"], file + "\nhttps://b.example\n"),
            (["--text", "a note", "--title", "T"], ""), (["-", "--name", "n.txt"], "bytes"),
            (["--title", "T", file], ""),
        ] {
            let inspected = try program.run(["inspect", "--json"] + arguments, input: input)
            #expect(Disk.names(in: folder["container"]).isEmpty)
            let ingested = try ingest(arguments, input: input)
            func facts(_ end: Program.End) throws -> [[String]] {
                try end.receipts.map {
                    [$0.id, "\($0.source)", $0.outcome.rawValue, $0.item?.title ?? "", $0.item?.text ?? ""]
                }
            }
            #expect(try facts(inspected) == facts(ingested) && !facts(ingested).isEmpty, "\(arguments)")
            try FileManager.default.removeItem(atPath: folder["container"].string)
        }
    }
}
