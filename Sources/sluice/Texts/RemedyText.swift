import ShareModel

/// The remedies, worded with the program's own commands and options. Libraries do not know these.
enum RemedyText {
    /// The remedy as a clause that follows the message and a semicolon.
    static func words(_ remedy: Remedy) -> String {
        switch remedy {
        case .makeRoom, .moveAway: remedy.description
        case .makeRoomOrLowerReserve: "make room, or lower --reserve, and run again: nothing is lost"
        case .nameOwnFolder: "change its permissions, or name a folder of your own with --container"
        case .makeContainer: "`sluice ingest` makes one, --container names another"
        case .nameOtherContainer: "--container names another"
        case .nameContainer: "name a new or empty folder with --container"
        case .migrateContainer: "`sluice migrate` updates it and loses nothing; reading it needs no migration"
        case .listPackages: "`sluice list` shows their ids"
        case .listDeliveries: "`sluice list` shows the packages, `sluice show ID` their deliveries"
        case .repairObject: "run `sluice verify --repair`, which looks for the content at its source"
        case .repairRow: "run `sluice verify --repair` to record that"
        case .repairIndex: "run `sluice verify --repair`, which builds the index again"
        case .repairMode: "run `sluice verify --repair`, or chmod 400 the file"
        case .repairBeforeExport: "run `sluice verify --repair`, then export again"
        case .collectLeftovers: "run `sluice gc` to remove the leftovers"
        case .retryDeliveries(let packages):
            "`sluice deliver --retry \(packages.joined(separator: " "))` makes it again"
        case .retryDelivery: "`sluice deliver --retry` with this package's id makes it again"
        case .allowFolder: "copy it in, or allow its folder with --allow-root"
        case .separateByNull: "paths of find -print0 are read with -0"
        case .nameInput:
            "--name NAME takes its bytes in as a file of that name, and --files-from - what its lines name"
        case .listChanges(let cursor): "`sluice changes --since \(cursor)` lists what follows"
        case .listSinks: "see `sluice sinks list`"
        case .dismissDeliveries(let sink):
            "install it again (`sluice sinks list`), or drop its deliveries by `sluice deliver --dismiss \(sink)`"
        case .nameSinkKit: "name the folder or the URL of SinkKit's source with --sinkkit"
        case .nameOtherSinkFolder: "take another name, or another folder with --into"
        case .nameWritableFolder: "name a folder that can be written to with --into"
        case .recordAnswer: "write it with --record, then check that it is right"
        case .compareAnswer: "fix the sink, or check the difference and record it with --record"
        }
    }

    /// The message and its remedy.
    static func sentence(_ message: String, _ remedy: Remedy?) -> String {
        remedy.map { "\(message); \(words($0))" } ?? message
    }

    /// The text with the program's words for its remedy, if it ends in the neutral words of one of these.
    ///
    /// Receipts are stored with neutral words, because other programs read them too.
    static func sentence(_ text: String, endingIn remedies: Remedy...) -> String {
        for remedy in remedies where text.hasSuffix(remedy.description) {
            return text.dropLast(remedy.description.count) + words(remedy)
        }
        return text
    }
}

extension CareFinding {
    /// The finding with its remedy in the program's words.
    var worded: CareFinding {
        guard let action else { return self }
        var finding = self
        finding.remedy = RemedyText.sentence(remedy, endingIn: action)
        return finding
    }
}
