import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// A file of a package, as a user names it: `ID`, or `ID/` and a part or a product.
struct FileReference: ExpressibleByArgument {
    /// The beginning of an identifier of a package or of a delivery.
    let id: String
    /// The reference as it was typed.
    let text: String
    /// The word for the file; `nil` for the one that stands for the package.
    let word: String?

    init(parsing argument: String) throws {
        let slash = argument.firstIndex(of: "/") ?? argument.endIndex
        let word = String(argument[slash...].dropFirst())
        id = try PackageID.parse(String(argument[..<slash]))
        text = argument
        self.word = word.isEmpty ? nil : word
    }

    init?(argument: String) { try? self.init(parsing: argument) }

    private init(id: String, text: String, word: String?) {
        self.id = id
        self.text = text
        self.word = word
    }

    /// The reference with the identifier of the package instead of a number in the last list; see ``ResultNumbers``.
    func numbered(in container: FilePath) throws -> FileReference {
        FileReference(id: try ResultNumbers.id(of: id, in: container.absolute), text: text, word: word)
    }

    static let help = ArgumentHelp(
        "The id of a package, enough of its beginning, or its number in the last list; for one file of several, a slash and "
            + "its number or name.",
        discussion: "`sluice path ID` lists the files of a package. IMG_1.jpg of 4f3a is 4f3a/1 or 4f3a/IMG_1.jpg, and "
            + "the thumbnail that a sink made is 4f3a/thumbnail.png.",
        valueName: "id[/file]")

    /// The file.
    ///
    /// - Throws: ``IngestionError`` if the word names no file or several, or if there is no word and more than one file
    ///   could stand for the package.
    func file(in reader: CatalogReader) throws -> PackageFile {
        let files = try reader.files(of: id)
        let id = ShortID.of(files.receipt.packageID)
        let found = word.map(files.files(named:)) ?? files.main.map { [$0] } ?? []
        if found.count == 1 { return found[0] }
        if files.all.isEmpty {
            let why = files.receipt.reason ?? "it came in without content"
            throw IngestionError(.notFound, "the package \(id) has no file: \(why)")
        }
        let choices = found.isEmpty ? files.all : found
        let what: String =
            switch word {
            case nil: "the package \(id) has \(Units.count(choices.count, "file"))"
            case let word? where found.isEmpty: "the package \(id) has no file '\(word)'"
            case let word?: "'\(word)' names \(Units.count(choices.count, "file")) of the package \(id)"
            }
        throw IngestionError(.notFound, "\(what); name one: \(Self.list(choices, id: id))")
    }

    /// The number of files that a message lists.
    private static let listLimit = 8

    /// The references of files, each as a person can type it, with the name that a number stands for.
    private static func list(_ files: [PackageFile], id: String) -> String {
        let shown = files.prefix(listLimit).map { file in
            let reference = file.reference(among: files)
            return "\(id)/\(reference)" + (reference == file.name ? "" : " (\(file.name))")
        }.joined(separator: ", ")
        return files.count > listLimit ? "\(shown), and \(files.count - listLimit) more" : shown
    }
}

extension PackageFile {
    /// The shortest word that names only this one of the files; for a part its number, because a name may be long.
    func reference(among files: [PackageFile]) -> String {
        words.first { word in files.count { $0.words.contains(word) } == 1 } ?? words[words.count - 1]
    }
}
