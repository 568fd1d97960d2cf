import Files
import Glibc
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// The packages that `list` or `search` printed last on a terminal, so that a person can name one by its number there.
///
/// A list that a person sends from a terminal to a pipe or a file has no numbers, and ends those of the list before. So does a
/// list that breaks off. An empty list leaves them. A list whose numbers cannot be saved has none.
///
/// They are in `$XDG_STATE_HOME/sluice/results`, else in `~/.local/state/sluice/results`: the path of the container, the
/// session of the terminal, then an identifier on each line. Without such a file, no number has a meaning.
struct ResultNumbers {
    /// The largest number. A word of as many digits, or fewer, is never the beginning of an identifier, because a list may have
    /// been printed whose numbers are lost.
    static let limit = 999
    /// The size of the largest file, in bytes: the path of a container, and as many identifiers of 32 digits.
    private static let byteLimit = 64 << 10

    private let container: FilePath
    private var ids: [String] = []

    init(of container: FilePath) { self.container = container }

    /// Adds a package, and returns its number; `nil` above ``limit``.
    mutating func add(_ id: String) -> Int? {
        guard ids.count < Self.limit else { return nil }
        ids.append(id)
        return ids.count
    }

    /// Replaces the file. After a failure there is none, if it can be removed: the numbers of the list before would name other
    /// packages, and the identifiers are on the screen, too.
    ///
    /// - Returns: whether the file has these numbers.
    @discardableResult
    func save(
        to path: FilePath? = file, session: Int32 = session, _ fileSystem: some FileSystem = .system
    ) -> Bool {
        guard let path else { return false }
        let new = path.removingLastComponent().appending("results.\(UniqueName.make())")
        let bytes = container.bytes + Array(("\n\(session)\n" + ids.joined(separator: "\n") + "\n").utf8)
        do {
            try fileSystem.ensureFolders(path.removingLastComponent())
            try SmallFile.write(bytes, to: new, mode: .ownerReadWrite, on: fileSystem)
            try fileSystem.move(new, to: path)
            return true
        } catch {
            for path in [new, path] { try? fileSystem.remove(path, isFolder: false) }
            return false
        }
    }

    /// The identifier for a word: of a number, that of the package with this number; of any other word, the word itself.
    ///
    /// - Parameter session: that of the terminal on which the person must have seen the list; `nil` for any.
    /// - Throws: ``IngestionError`` if the last list was shorter, had no numbers, or was of another container or session.
    static func id(
        of word: String, in container: FilePath, seenIn session: Int32? = nil, from path: FilePath? = file
    ) throws -> String {
        guard (1...3).contains(word.utf8.count), word.utf8.allSatisfy("0123456789".utf8.contains),
            let number = Int(word)
        else { return word }
        func refusal(_ why: String, _ remedy: String) -> IngestionError {
            IngestionError(.notFound, "\(why), so \(number) names nothing; \(remedy)name at least 4 digits of an id")
        }
        let bytes = path.flatMap { try? SmallFile.read($0, limit: byteLimit) } ?? []
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        // An older program wrote no session.
        guard lines.count > 1, Int32(String(decoding: lines[1], as: UTF8.self)) != nil else {
            throw refusal("there was no list on a terminal", "list again on a terminal, or ")
        }
        guard lines[0] == container.bytes else {
            throw refusal("the last list was of another container", "list again, or ")
        }
        guard lines.count > 2 else {
            throw refusal("the last list had no numbers", "list again on a terminal, or ")
        }
        guard number > 0, number < lines.count - 1 else {
            throw refusal("the last list had \(Units.count(lines.count - 2, "line"))", "")
        }
        guard session.map({ Array("\($0)".utf8) == lines[1] }) ?? true else {
            throw refusal("the last list was printed on another terminal", "list again here, or ")
        }
        return String(decoding: lines[number + 1], as: UTF8.self)
    }

    /// Like ``id(of:in:seenIn:from:)``, for several words.
    static func ids(of words: [String], in container: FilePath, seenIn session: Int32? = nil) throws -> [String] {
        try words.map { try id(of: $0, in: container.absolute, seenIn: session) }
    }

    /// The session of this process: all commands of a shell have that of its terminal.
    static var session: Int32 { getsid(0) }

    static var file: FilePath? { ContainerLocation.state(environment: Environment.path)?.appending("sluice/results") }
}
