import ShareModel

/// The remedies, worded with the program's own commands and options. Libraries do not know these.
enum RemedyText {
    /// The remedy as a clause that follows the message and a semicolon.
    ///
    /// - Parameter containerOption: see ``SummaryText/containerOption``. Without it, the commands use another container
    ///   than the one that the message is about.
    static func words(_ remedy: Remedy, containerOption: StyledLine) -> String {
        let option = containerOption.rendered(color: false)
        func command(_ words: String, behind pipe: String = "") -> String { "`\(pipe)sluice \(words)\(option)`" }
        return switch remedy {
        case .makeRoom, .moveAway: remedy.description
        case .makeRoomOrLowerReserve: "make room, or lower --reserve, and run again; what came in is safe"
        case .nameOwnFolder: "change its permissions, or name a folder of your own with --container"
        case .nameLocalFolder:
            "name a folder on a disk of this machine with --container; `sluice backup` may write to a network"
        case .nameWritableDisk: "make the disk writable, or name a folder on another one with --container"
        case .makeContainer: "\(command("ingest")) makes one, --container names another"
        case .nameOtherContainer: "--container names another"
        case .nameContainer: "name a new or empty folder with --container"
        case .migrateContainer: "\(command("migrate")) updates it and loses nothing; reading it needs no migration"
        case .listPackages: "\(command("list")) shows their ids"
        case .listDeliveries: "\(command("list")) shows the packages, \(command("show ID")) their deliveries"
        case .repairObject: "run \(command("verify --repair")), which looks for the content at its source"
        case .repairRow: "run \(command("verify --repair")) to record that"
        case .repairIndex: "run \(command("verify --repair")), which builds the index again"
        case .repairMode: "run \(command("verify --repair")), or chmod 444 the file"
        case .verify: "\(command("verify")) names each record that cannot be read, and its remedy"
        case .updateProgram:
            "a newer program may have written that: update this one and run \(command("verify")) again, or restore the "
                + "container from a backup"
        case .repairBeforeExport:
            "run \(command("verify --repair")), or take the same content in again; then export again"
        case .collectLeftovers: "run \(command("gc")) to remove the leftovers"
        case .retryDeliveries(let packages):
            "\(command("deliver --retry \(packages.joined(separator: " "))")) makes it again"
        case .retryDelivery: "\(command("deliver --retry ID")) with this package's ID makes it again"
        case .allowFolder: "copy it in, or allow its folder with --allow-root"
        case .separateByNull: "paths of find -print0 are read with -0"
        case .nameInput:
            "--name NAME takes its bytes in as a file of that name, and --files-from - what its lines name"
        case .pipeInput: "pass its bytes through standard input: \(command("ingest - --name NAME", behind: "… | "))"
        case .listChanges(let cursor): "\(command("changes --since \(cursor)")) lists what follows"
        case .listSinks: "see `sluice sinks list`"
        case .dismissDeliveries(let sink):
            "install it again (`sluice sinks list`), or drop its deliveries by \(command("deliver --dismiss \(sink)"))"
        case .nameSinkKit: "name the folder or the URL of SinkKit's source with --sinkkit"
        case .nameOtherSinkFolder: "take another name, or another folder with --into"
        case .nameWritableFolder: "name a folder that can be written to with --into"
        case .recordAnswer: "write it with --record, then check that it is right"
        case .compareAnswer: "fix the sink, or check the difference and record it with --record"
        case .listTransfers: "\(command("transfers")) shows more"
        case .logIn(let account): "log in with \(command("account login \(account)"))"
        case .addAccount(let account): "\(command("account add \(account)")) adds it"
        case .deliverAs(let account):
            "\(command("deliver --account \(account)")) sends them all the same, \(command("deliver --dismiss ID")) drops one; "
                + "\(command("list --pending")) shows them"
        case .installAgain: remedy.description
        }
    }

    /// The message and its remedy.
    static func sentence(_ message: String, _ remedy: Remedy?, containerOption: StyledLine) -> String {
        remedy.map { "\(message); \(words($0, containerOption: containerOption))" } ?? message
    }

    /// The error's message and its remedy.
    static func sentence(_ error: some ExplainedError, containerOption: StyledLine) -> String {
        sentence(error.message, error.remedy, containerOption: containerOption)
    }

    /// The text with the program's words for its remedy, if it ends in the neutral words of one of these.
    ///
    /// Receipts are stored with neutral words, because other programs read them too.
    static func sentence(_ text: String, endingIn remedies: Remedy..., containerOption: StyledLine) -> String {
        for remedy in remedies where text.hasSuffix(remedy.description) {
            return text.dropLast(remedy.description.count) + words(remedy, containerOption: containerOption)
        }
        return text
    }
}

extension CareFinding {
    /// The finding with its remedy in the program's words.
    ///
    /// - Parameter containerOption: see ``SummaryText/containerOption``.
    func worded(containerOption: StyledLine) -> CareFinding {
        guard let action else { return self }
        var finding = self
        finding.remedy = RemedyText.sentence(remedy, endingIn: action, containerOption: containerOption)
        return finding
    }
}
