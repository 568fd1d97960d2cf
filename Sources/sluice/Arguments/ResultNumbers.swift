import Files
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// The packages that `list` or `search` printed last on a terminal, so that a person can name one by its number there.
///
/// A list that a person sends from a terminal to a pipe or a file has no numbers, and ends those of the list before. So does a
/// list that breaks off.
///
/// They are in `$XDG_STATE_HOME/sluice/results`, else in `~/.local/state/sluice/results`: the path of the container, then an
/// identifier on each line. Without such a file, no number has a meaning.
struct ResultNumbers {
    /// The largest number. A longer word is the beginning of an identifier.
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

    /// Replaces the file. After a failure there is none: the numbers of the list before would name other packages, and the
    /// identifiers are on the screen, too.
    func save(to path: FilePath? = file, _ fileSystem: some FileSystem = .system) {
        guard let path else { return }
        let new = path.removingLastComponent().appending("results.\(UniqueName.make())")
        let bytes = container.bytes + Array(("\n" + ids.joined(separator: "\n") + "\n").utf8)
        do {
            try fileSystem.ensureFolders(path.removingLastComponent())
            try SmallFile.write(bytes, to: new, mode: .ownerReadWrite, on: fileSystem)
            try fileSystem.move(new, to: path)
        } catch {
            for path in [new, path] { try? fileSystem.remove(path, isFolder: false) }
        }
    }

    /// The identifier for a word: of a number, that of the package with this number; of any other word, the word itself.
    ///
    /// - Throws: ``IngestionError`` if the last list was shorter, had no numbers, or was of another container.
    static func id(of word: String, in container: FilePath, from path: FilePath? = file) throws -> String {
        guard word.utf8.count <= 3, let number = Int(word), number > 0, let path,
            let bytes = try? SmallFile.read(path, limit: byteLimit)
        else { return word }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        guard let place = lines.first else { return word }
        guard place == container.bytes else {
            throw IngestionError(
                .notFound,
                "the last list was of another container, so \(number) names nothing here; list again, or name an id")
        }
        guard lines.count > 1 else {
            throw IngestionError(
                .notFound,
                "the last list had no numbers, so \(number) names nothing; list again on a terminal, or name an id")
        }
        guard number < lines.count else {
            throw IngestionError(
                .notFound,
                "the last list had \(Units.count(lines.count - 1, "line")), so \(number) names nothing; name an id")
        }
        return String(decoding: lines[number], as: UTF8.self)
    }

    /// Like ``id(of:in:from:)``, for several words.
    static func ids(of words: [String], in container: FilePath) throws -> [String] {
        try words.map { try id(of: $0, in: container.absolute) }
    }

    static var file: FilePath? { ContainerLocation.state(environment: Environment.path)?.appending("sluice/results") }
}
