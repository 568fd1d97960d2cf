import Foundation
import SinkKit
import SinkTools

/// The program `soffice` of LibreOffice, which saves documents in an open format.
struct LibreOffice {
    /// The longest time for one document, in seconds by the wall clock. A small one takes two to six, most of them for
    /// the start of the program.
    static let seconds = 60
    /// The most bytes of its output. It prints a few lines, which the sink does not need; nor does it need the messages.
    private static let outputLimit = 1 << 14

    /// The program's path.
    let program: String

    /// Looks for the program; `nil` if it is missing.
    init?() {
        guard let program = installedProgram("soffice") else { return nil }
        self.program = program
    }

    /// Saves a document in its open format.
    ///
    /// Each document has a profile of its own. So nothing that one does to LibreOffice reaches the next one. A profile for
    /// all documents would save a tenth of the processor time.
    ///
    /// - Parameters:
    ///   - path: the document. LibreOffice sees it under a name of the sink, so that no name decides its format.
    ///   - folder: an empty folder, for everything that LibreOffice writes.
    /// - Returns: the path of the saved document; `nil` if LibreOffice refuses the document.
    /// - Throws: `SinkFailure` if LibreOffice cannot start, has no room, crashes, or exceeds a limit. Another version of it, or
    ///   a machine with less work, may read the document, so the delivery can be tried again.
    func save(_ path: String, _ format: OldFormat, in folder: String) throws -> String? {
        let document = "\(folder)/document.\(format.ending)"
        guard symlink(path, document) == 0 else {
            throw SinkFailure(.transient, "a link to the content cannot be made: \(reason(errno))")
        }
        let profile = URL(filePath: "\(folder)/profile", directoryHint: .notDirectory)
        try LibreOfficeProfile.write(into: profile)
        let process = ChildProcess(
            program: program,
            arguments: [
                "--headless", "--norestore", "-env:UserInstallation=\(profile.absoluteString)",
                "--convert-to", format.openEnding, "--outdir", "\(folder)/saved", document,
            ],
            variables: [
                "HOME=\(folder)", "TMPDIR=\(folder)",
                // The times in old documents are in UTC. LibreOffice would make them local.
                "TZ=UTC",
                // Otherwise it starts a thread for each processor.
                "MAX_CONCURRENCY=1",
            ], seconds: Self.seconds, outputLimit: Self.outputLimit, errorLimit: 0)
        switch try process.run().ending {
        // Its shell script could not start a program: an installation that is incomplete, or being updated.
        case .exited(let status) where status == 126 || status == 127:
            throw SinkFailure(.transient, "LibreOffice cannot be started (exit status \(status))")
        case .exited(let status) where status <= 128: break
        // Its shell script says so of a signal.
        case .exited(let status): throw Self.crash(status - 128)
        case .signaled(let signal): throw Self.crash(signal)
        case .outOfTime: throw SinkFailure(.permanent, "LibreOffice does not end within \(Self.seconds) s")
        case .tooMuchOutput: throw SinkFailure(.permanent, "LibreOffice prints more than \(Self.outputLimit) bytes")
        }
        let saved = "\(folder)/saved/document.\(format.openEnding)"
        if access(saved, R_OK) == 0 { return saved }
        // It says nothing about a full disk.
        var volume = statvfs()
        if statvfs(folder, &volume) == 0, UInt64(volume.f_bavail) * UInt64(volume.f_frsize) < Self.leastRoom {
            throw SinkFailure(.transient, "LibreOffice has no room to write")
        }
        return nil
    }

    /// The free bytes below which a document that was not saved does not count as refused.
    private static let leastRoom: UInt64 = 16 << 20

    private static func crash(_ signal: Int32) -> SinkFailure {
        switch signal {
        case SIGXFSZ: SinkFailure(.permanent, "LibreOffice writes a file above the limit of this sink")
        case SIGXCPU: SinkFailure(.permanent, "LibreOffice needs too much processor time")
        default: SinkFailure(.permanent, "LibreOffice crashes on it (signal \(signal))")
        }
    }
}

/// The settings of LibreOffice for hostile documents.
enum LibreOfficeProfile {
    /// A setting: its group, its name, and its value.
    private static let settings = [
        // No macro of a document runs, whoever signed it.
        ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
        ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
        ("Java/VirtualMachine", "Enable", "false"),
        // LibreOffice follows no link to another file; 2 stands for never.
        ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
        ("Writer/Content/Update", "Link", "2"),
        ("Calc/Content/Update", "Link", "2"),
        // A field with the date of today keeps the date that the document has.
        ("Writer/Content/Update", "Field", "false"),
    ]

    /// Makes a profile with the settings.
    ///
    /// - Throws: an error if it cannot be written.
    static func write(into profile: URL) throws {
        let items = settings.map { group, name, value in
            """
            <item oor:path="/org.openoffice.Office.\(group)"><prop oor:name="\(name)" oor:op="fuse">\
            <value>\(value)</value></prop></item>
            """
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <oor:items xmlns:oor="http://openoffice.org/2001/registry">
            \(items.joined(separator: "\n"))
            </oor:items>
            """
        do {
            let user = profile.appending(path: "user")
            try FileManager.default.createDirectory(at: user, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: user.appending(path: "registrymodifications.xcu"))
        } catch {
            throw SinkFailure(.transient, "the settings of LibreOffice cannot be written: \(error)")
        }
    }
}
