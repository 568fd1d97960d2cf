import Foundation
import ShareModel
import SystemPackage
import Testing

/// A case below Fixtures/broken: a container that a script has broken.
struct BrokenContainer: CustomTestStringConvertible, Sendable {
    let name: String

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/broken").standardized

    static let all = Disk.names(in: FilePath(folder.path)).filter { !$0.contains(".") }.map(BrokenContainer.init)

    var testDescription: String { name }

    private var home: URL { Self.folder.appending(path: name) }

    /// Makes a container with one package, `river.txt`, and breaks it.
    func make(in place: TestFolder) throws -> FilePath {
        let container = place["container"]
        let end = try Program(container: container).ingest(
            place.write("in/river.txt", "the river\n"), options: ["--no-deliver"])
        try #require(end.status == 0)
        // A checkpoint moves the log into the catalog, so that each case breaks the same files.
        try ContainerFindings.empty(logOf: container)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [home.appending(path: "break.sh").path]
        process.currentDirectoryURL = URL(filePath: container.string)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "break.sh of \(name) failed")
        return container
    }

    func expected() -> String? { try? String(contentsOf: home.appending(path: "expected.txt"), encoding: .utf8) }

    func record(_ text: String) throws {
        try text.write(to: home.appending(path: "expected.txt"), atomically: true, encoding: .utf8)
    }
}
