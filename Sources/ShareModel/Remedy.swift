/// The remedy of an error, for the user.
///
/// Libraries carry the value. A program words it with its own commands and options. The description here names neither,
/// so it fits any program that embeds the libraries.
public enum Remedy: Sendable, Hashable, CustomStringConvertible {
    /// The disk is full.
    case makeRoom
    /// The disk would have less left than the reserve.
    case makeRoomOrLowerReserve
    /// This user may not write to the container's folder.
    case nameOwnFolder
    /// The folder is on a network file system.
    case nameLocalFolder
    /// The disk of the container is read-only.
    case nameWritableDisk
    /// Something else has the name of a folder.
    case moveAway
    /// The folder is not a container.
    case makeContainer
    /// The folder is not a container, and the request makes none.
    case nameOtherContainer
    /// The folder cannot become a container.
    case nameContainer
    /// The container has an older format.
    case migrateContainer
    /// No package, or more than one, has an identifier that begins with the given text.
    case listPackages
    /// No delivery has the name that was given.
    case listDeliveries
    /// An object is damaged or missing, and its source may still have the content.
    case repairObject
    /// The row of an object is wrong, and the object is whole.
    case repairRow
    /// An index of the catalog does not match its table.
    case repairIndex
    /// An object is not read-only.
    case repairMode
    /// A record of the catalog cannot be read.
    case verify
    /// A record has something that this program does not know.
    case updateProgram
    /// The catalog names an object that is damaged or missing, and an export left its package out.
    case repairBeforeExport
    /// Files or rows are left that nothing names.
    case collectLeftovers
    /// A product of these packages is lost, and its sink can make it again.
    case retryDeliveries(packages: [String])
    /// A product of the package at hand is lost, and its sink can make it again.
    case retryDelivery
    /// A package names a file outside of its own folder.
    case allowFolder
    /// A list of paths has zero bytes between them, and was read as lines.
    case separateByNull
    /// The bytes on standard input are none of the forms that a run knows.
    case nameInput
    /// A pipe was named as a file.
    case pipeInput
    /// An observer wants to read changes again that it acknowledged.
    case listChanges(since: String)
    /// No sink has the name that was given.
    case listSinks
    /// Deliveries are open for a sink that is not installed.
    case dismissDeliveries(sink: String)
    /// A new sink in Swift needs the source of SinkKit.
    case nameSinkKit
    /// A new sink's folder exists already.
    case nameOtherSinkFolder
    /// A new sink's folder cannot be made.
    case nameWritableFolder
    /// A sample has no expected answer, or an unreadable one.
    case recordAnswer
    /// A sink's answer differs from the sample's expected answer.
    case compareAnswer
    /// Content is sent in the background.
    case listTransfers
    /// Deliveries wait for a login.
    case logIn(account: String)
    /// Settings name an account that does not exist.
    case addAccount(String)
    /// Deliveries came in for another person than the one who is logged in.
    case deliverAs(account: String)
    /// A program of Sluice is missing.
    case installAgain

    /// For people: a clause that follows what failed and a semicolon.
    public var description: String {
        switch self {
        case .makeRoom: "free some space, or files where no inode is left, and run again; what came in is safe"
        case .makeRoomOrLowerReserve: "make room, or lower the reserve, and run again; what came in is safe"
        case .nameOwnFolder: "use a folder of your own, or change its permissions"
        case .nameLocalFolder: "use a folder on a disk of this machine; a backup may lie on a network"
        case .nameWritableDisk: "make the disk writable, or use a folder on another one"
        case .moveAway: "move it away"
        case .makeContainer: "take something in to make one, or name another container"
        case .nameOtherContainer: "name another container"
        case .nameContainer: "name a new or empty folder for the container"
        case .migrateContainer: "migrate the container; reading it needs no migration"
        case .listPackages: "list the packages to see their identifiers"
        case .listDeliveries: "list the packages to see their deliveries"
        case .repairObject: "repair the container; the repair looks for the content where it came from"
        case .repairRow: "repair the container to record that"
        case .repairIndex: "repair the container, which builds the index again"
        case .repairMode: "repair the container, or change the file's mode to 444"
        case .verify: "verify the container to see each record that cannot be read, and its remedy"
        case .updateProgram:
            "a newer program may have written that: update this one and verify again, or restore the container from a backup"
        case .repairBeforeExport: "repair the container, or take the same content in again; then export again"
        case .collectLeftovers: "collect the leftovers"
        case .retryDeliveries(let packages):
            "try the deliveries of \(packages.joined(separator: " ")) again to make it anew"
        case .retryDelivery: "try this package's deliveries again to make it anew"
        case .allowFolder: "copy it in, or allow its folder"
        case .separateByNull: "read the list with a zero byte as its separator"
        case .nameInput: "name it to take its bytes in as a file, or read it as a list"
        case .pipeInput: "pass its bytes through standard input, and name them"
        case .listChanges(let cursor): "list the changes since \(cursor) to read them again"
        case .listSinks: "list the sinks to see their names"
        case .dismissDeliveries(let sink): "install \(sink) again, or dismiss its deliveries"
        case .nameSinkKit: "name the folder or the URL of SinkKit's source"
        case .nameOtherSinkFolder: "use another name, or another folder to make it in"
        case .nameWritableFolder: "name a folder that you can write to"
        case .recordAnswer: "record the sink's answer, then check that it is right"
        case .compareAnswer: "fix the sink, or check the difference and record the answer again"
        case .listTransfers: "list the transfers to see how far it is"
        case .logIn(let account): "log in to \(account)"
        case .addAccount(let account): "add the account \(account)"
        case .deliverAs(let account):
            "decide whether the person who is logged in to \(account) sends them, or dismiss them"
        case .installAgain: "build or install all of Sluice again"
        }
    }
}

extension String {
    /// The text and the remedy's neutral words, with a semicolon between them.
    package func with(_ remedy: Remedy?) -> String { remedy.map { "\(self); \($0)" } ?? self }
}
