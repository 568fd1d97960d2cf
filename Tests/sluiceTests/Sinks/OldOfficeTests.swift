import Foundation
import ShareModel
import SinkKit
import Testing

/// Documents of old office programs, with a script in the place of LibreOffice.
///
/// The script proves what the sink demands of LibreOffice, and what it makes of each end. What LibreOffice makes of a
/// document is proved by `ConformanceTests.officeImportReadsOldDocuments`, if it is installed, and by
/// `Scripts/agreements/office.py`.
@Suite(.timeLimit(.minutes(60))) struct OldOfficeTests {
    private static let types = ["application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"]
    private static let sound = Data(OLEBuilder(["Root"]).bytes)

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder["programs"].string, withIntermediateDirectories: true)
    }

    /// Installs the script as `soffice`. It has `$document`, `$format`, `$saved` and `$profile` of its arguments.
    private func install(_ script: String) throws {
        try folder.write(
            "programs/soffice",
            """
            #!/bin/sh
            printf '%s\\n' "$@" > '\(folder["arguments"])'
            while [ $# -gt 0 ]; do
                case $1 in
                    -env:UserInstallation=*) profile=${1#*=file://} ;;
                    --convert-to) format=$2 ;;
                    --outdir) saved=$2 ;;
                esac
                document=$1
                shift
            done
            \(script)
            """, mode: 0o755)
    }

    /// A line of a script that saves a document of this format.
    private static func saving(_ sample: String) -> String {
        "mkdir \"$saved\" && cp '\(Self.sample(sample).path)' \"$saved/document.$format\""
    }

    private static func sample(_ format: String) -> URL {
        URL(filePath: #filePath)
            .appending(path: "../../../../Plugins/OfficeImport/samples/\(format)/content.\(format)").standardized
    }

    /// A run whose path has the script alone, if there is one.
    private func run(_ content: Data, _ type: String = Self.types[0], name: String = "content.doc") throws -> SinkRun {
        try SinkRun(
            "office-import", [.init(content: content, type: type, name: name)], path: folder["programs"].string)
    }

    private func lines(of name: String) throws -> [String] {
        try String(contentsOfFile: folder[name].string, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func failure(_ run: SinkRun) throws -> SinkMessage.Failure {
        try #require(run.messages.compactMap { if case .fail(let fail) = $0 { fail } else { nil } }.first)
    }

    @Test(arguments: [
        (types[0], "doc", "odt"), (types[1], "xls", "xlsx"), (types[2], "ppt", "odp"),
    ])
    func theSavedDocumentIsRead(type: String, ending: String, format: String) throws {
        try install(Self.saving(format))
        let run = try run(Self.sound, type, name: "--help -env:x=y #1?.html")
        let family = format == "xlsx" ? "openxmlformats-officedocument" : "oasis.opendocument"
        let sample = try SinkRun(
            "office-import",
            [.init(content: Data(contentsOf: Self.sample(format)), type: "application/vnd.\(family).any")])
        #expect(try run.product("text") == sample.product("text"))
        #expect(try run.metadata["title"] == sample.metadata["title"])
        // The times are in UTC. A workbook is saved with the language of LibreOffice, which is not its own.
        guard case .string(let date)? = try run.metadata["date"] else { throw CocoaError(.fileReadCorruptFile) }
        #expect(date.hasSuffix("Z"))
        if format == "xlsx" { #expect(try run.metadata["language"] == nil) }

        let place = run.out.appending(path: "0").path + "/libreoffice"
        #expect(
            try lines(of: "arguments") == [
                "--headless", "--norestore", "-env:UserInstallation=file://\(place)/profile", "--convert-to",
                format, "--outdir", "\(place)/saved", "\(place)/document.\(ending)",
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.out.path + "/0") == ["text.txt"])
    }

    @Test func itSeesTheContentAndNoVariableOfTheHost() throws {
        try install(
            """
            cp "$document" '\(folder["seen"])'
            env > '\(folder["environment"])'
            \(Self.saving("odt"))
            """)
        let place = try run(Self.sound).out.appending(path: "0").path + "/libreoffice"
        #expect(try Data(contentsOf: URL(filePath: folder["seen"].string)) == Self.sound)
        // The shell adds some.
        let variables = try lines(of: "environment").filter { line in
            !["PWD=", "OLDPWD=", "SHLVL=", "_="].contains { line.hasPrefix($0) }
        }
        #expect(
            variables.sorted() == [
                "HOME=\(place)", "LC_ALL=C.UTF-8", "MAX_CONCURRENCY=1", "PATH=/usr/bin:/bin", "TMPDIR=\(place)",
                "TZ=UTC",
            ])
    }

    @Test func theProfileForbidsMacrosAndLinks() throws {
        try install("cp \"$profile/user/registrymodifications.xcu\" '\(folder["settings"])'\n\(Self.saving("odt"))")
        _ = try run(Self.sound)
        let settings = try String(contentsOfFile: folder["settings"].string, encoding: .utf8)
        for (name, value) in [
            ("DisableMacrosExecution", "true"), ("MacroSecurityLevel", "3"), ("BlockUntrustedRefererLinks", "true"),
            ("Enable", "false"), ("Link", "2"), ("Field", "false"),
        ] {
            #expect(settings.contains("oor:name=\"\(name)\" oor:op=\"fuse\"><value>\(value)</value>"), "\(name)")
        }
    }

    /// Its shell script ends so while a package manager replaces it.
    @Test(arguments: [126, 127]) func aBrokenInstallationIsNoFaultOfTheDocument(_ status: Int) throws {
        try install("exit \(status)")
        let failure = try failure(try run(Self.sound))
        #expect(failure.class == .transient && failure.why.contains("cannot be started"), "\(failure)")
    }

    @Test(arguments: ["exit 0", "exit 1"])
    func aRefusedDocumentIsDamaged(_ script: String) throws {
        try install(script)
        let run = try run(Self.sound)
        #expect(try run.done.status == .delivered)
        #expect(
            try run.metadata == [
                "damaged": true, "no_text": "it cannot be read", "problem": "LibreOffice cannot read it",
            ])
        let cut = try self.run(Self.sound.prefix(1_000))
        #expect(try cut.metadata["problem"] == "it is cut off: its directory is missing")
    }

    /// The start of a stream, as each program writes it into an encrypted document.
    private static let encrypted: [(type: String, name: String, start: [UInt8])] = [
        (types[0], "WordDocument", [0xEC, 0xA5, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, 0x13]),
        (types[1], "Workbook", [9, 8, 2, 0, 0, 6, 0x86, 0, 0, 0, 0x2F, 0, 0, 0]),
        (types[1], "Book", [9, 8, 2, 0, 0, 5, 0x2F, 0, 0, 0]),
        (types[2], "Current User", [0, 0, 0xF6, 0x0F, 20, 0, 0, 0, 20, 0, 0, 0, 0xDF, 0xC4, 0xD1, 0xF3]),
    ]

    @Test(arguments: encrypted.indices, [nil, "exit 0"])
    func anEncryptedDocumentNeedsAPassword(_ index: Int, _ script: String?) throws {
        if let script { try install(script) }
        let (type, name, start) = Self.encrypted[index]
        var file = OLEBuilder([name])
        file.entries[0].bytes = start
        #expect(
            try run(Data(file.bytes), type).metadata == [
                "encrypted": true, "no_text": "it cannot be read", "problem": "it needs a password",
            ])
        // Without the mark, it is another document.
        file.entries[0].bytes = start.map { [0x13, 0x2F, 0xDF].contains($0) ? 0 : $0 }
        let other = try run(Data(file.bytes), type)
        #expect(try script == nil ? other.done.status == .declined : other.metadata["encrypted"] == nil)
    }

    /// LibreOffice tries the password that Excel uses if the user gives none. So a mark alone is no reason to refuse.
    @Test func anEncryptedDocumentThatOpensIsRead() throws {
        try install(Self.saving("xlsx"))
        var file = OLEBuilder(["Workbook"])
        file.entries[0].bytes = Self.encrypted[1].start
        #expect(try run(Data(file.bytes), Self.types[1]).metadata["encrypted"] == nil)
    }

    @Test(arguments: types)
    func withoutLibreOfficeADocumentIsDeclined(_ type: String) throws {
        let run = try run(Self.sound, type)
        #expect(try run.done.status == .declined)
        #expect(try run.done.why?.hasSuffix("install it") == true)
    }

    /// Programs gave RTF the ending `doc`.
    @Test func rtfWithAnOldTypeIsReadWithoutLibreOffice() throws {
        #expect(try run(Data("{\\rtf1{\\info{\\title Rivers}}words}".utf8)).metadata["title"] == "Rivers")
    }

    @Test(arguments: [
        ("kill -s SEGV $$", "LibreOffice crashes on it (signal 11)"),
        ("exit 134", "LibreOffice crashes on it (signal 6)"),
        ("kill -s KILL $$", "LibreOffice crashes on it (signal 9)"),
        ("kill -s XFSZ $$", "LibreOffice writes a file above the limit of this sink"),
        ("exec yes", "LibreOffice prints more than 16384 bytes"),
    ])
    func anEndWithoutADocumentFailsThisDeliveryAlone(_ script: String, _ why: String) throws {
        try install("grep -q sound \"$document\" || \(script)\n\(Self.saving("odt"))")
        let inputs = [Self.sound, Self.sound + Data("sound".utf8)].map {
            SinkRun.Input(content: $0, type: Self.types[0])
        }
        let run = try SinkRun("office-import", inputs, path: folder["programs"].string)
        let fail = try failure(run)
        #expect(fail.id == "0" && fail.class == .permanent && fail.why == why)
        #expect(try run.done.id == "1" && run.done.status == .delivered)
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.out.path + "/0") == [])
    }

    /// The sink waits for a minute, which is its limit.
    @Test func anEndlessConversionEndsWithAllItsProcesses() throws {
        let life = try Life(folder["life"].string)
        try install("tail -f /dev/null > '\(folder["life"])' &\nwait")
        let fail = try failure(run(Self.sound))
        #expect(fail.class == .permanent && fail.why == "LibreOffice does not end within 60 s")
        #expect(life.isOver)
    }

    @Test func aProcessThatLibreOfficeLeavesEnds() throws {
        let life = try Life(folder["life"].string)
        try install("tail -f /dev/null > '\(folder["life"])' &\n\(Self.saving("odt"))")
        #expect(try run(Self.sound).metadata["title"] == "Ferry times")
        #expect(life.isOver)
    }

    /// A FIFO, which shows whether a process that writes to it has ended.
    private final class Life {
        private let descriptor: Int32

        init(_ path: String) throws {
            guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
            descriptor = open(path, O_RDONLY | O_NONBLOCK)
            guard descriptor >= 0 else { throw POSIXError(.EIO) }
        }

        deinit { close(descriptor) }

        /// Whether a writer has come, and is gone within 10 seconds.
        var isOver: Bool {
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&state, 1, 10_000) == 1 && state.revents & Int16(POLLHUP) != 0
        }
    }
}
