import Foundation

/// The labeled corpus of real-world files, which is not part of the project. It is in `$SLUICE_CORPUS`, or in
/// `../shared/corpus` beside the package. The folder has `truth.tsv` (path, type, other right types, class) and
/// `files/`.
struct Corpus {
    struct Row {
        var path: String
        var type: String
        var right: Set<String>
        var classes: Set<String>

        var url: URL { Corpus.folder.appending(path: "files").appending(path: path) }
        var name: String { url.lastPathComponent }
    }

    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_CORPUS"] { return URL(filePath: path) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return package.deletingLastPathComponent().appending(path: "shared/corpus")
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "truth.tsv").path) }

    static func rows() throws -> [Row] {
        let text = try String(contentsOf: folder.appending(path: "truth.tsv"), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let also = fields[2].split(separator: ",").map(String.init)
            return Row(
                path: fields[0], type: fields[1], right: Set([fields[1]] + also),
                classes: Set(fields[3].split(separator: "|").map(String.init)))
        }
    }
}
