import Foundation

/// The targets of this package, as `swift package dump-package` prints them.
struct PackageDump {
    struct Target {
        var name: String
        /// `regular`, `executable`, `test`, `system`, …
        var kind: String
        /// The folder of the sources, from the package's root.
        var path: String
        /// The names of the direct dependencies, targets and products, as the manifest declares them.
        var dependencies: Set<String>
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    var targets: [Target]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs SwiftPM with a scratch folder of its own, because the usual one is locked while tests run.
    static func load() throws -> PackageDump {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "sluice-dump-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // Before the wait, because the program blocks when the pipe is full.
        let json = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "swift package dump-package ended with \(process.terminationStatus)")
        }
        return try PackageDump(json: json)
    }

    init(json: Data) throws {
        guard let top = try JSONSerialization.jsonObject(with: json) as? [String: Any],
            let targets = top["targets"] as? [[String: Any]]
        else { throw Failure(description: "the dump has no targets") }
        self.targets = try targets.map(Target.init)
    }

    /// The Swift files below a folder of the package.
    static func swiftFiles(below folder: String) -> [URL] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            // The enumerator has no fixed order, and failures are easier to compare in one.
            .sorted { $0.path < $1.path }
    }
}

extension PackageDump.Target {
    fileprivate init(_ dump: [String: Any]) throws {
        guard let name = dump["name"] as? String, let kind = dump["type"] as? String,
            let dependencies = dump["dependencies"] as? [[String: Any]]
        else { throw PackageDump.Failure(description: "a target of the dump lacks its name, type or dependencies") }
        self.name = name
        self.kind = kind
        // The dump omits the path of a target in its default folder.
        path = dump["path"] as? String ?? (kind == "test" ? "Tests/\(name)" : "Sources/\(name)")
        // Each is {"byName" | "product" | "target": [name, …]}.
        self.dependencies = try Set(
            dependencies.map { dependency in
                guard let value = dependency.values.first as? [Any], let name = value.first as? String else {
                    throw PackageDump.Failure(description: "a dependency of \(name) has no name")
                }
                return name
            })
    }
}
