internal import Files
internal import Glibc
internal import SinkHost
package import SystemPackage

/// A sink that works, to begin one's own from: an example of this project under another name.
package struct SinkTemplate: Sendable {
    /// What a sink can be written in.
    package enum Language: String, Sendable, CaseIterable {
        case swift, python, shell

        /// The example that it is made from.
        var example: String {
            switch self {
            case .swift: "line-count"
            case .python: "word-count"
            case .shell: "checksum"
            }
        }
    }

    /// A file of an example.
    struct File: Sendable, Equatable {
        /// Below the folder of the examples.
        let path: String
        let isExecutable: Bool
        let text: String

        init(path: String, isExecutable: Bool, text: String) {
            self.path = path
            self.isExecutable = isExecutable
            self.text = text
        }

        /// - Parameter lines: a text, each line behind one character more, without the line feed at its end.
        init(path: String, isExecutable: Bool, withMargin lines: String) {
            let text = lines.split(separator: "\n").map { $0.dropFirst() + "\n" }.joined()
            self.init(path: path, isExecutable: isExecutable, text: text)
        }
    }

    private let name: String
    private let language: Language
    private let sinkKit: SinkKitPlace?

    /// - Parameters:
    ///   - name: the sink's identifier: 1 to 64 lower-case letters, digits and hyphens, beginning with a letter.
    ///   - sinkKit: where a sink in Swift takes SinkKit from; no other needs it.
    /// - Throws: ``SinkHostError`` where the name cannot be one, or SinkKit is missing.
    package init(name: String, language: Language, sinkKit: SinkKitPlace? = nil) throws {
        let isName = try SchemaPattern("^[a-z][a-z0-9-]{0,63}$").matches(name)
        guard isName, !name.hasSuffix("-") else {
            throw SinkHostError(
                .usage,
                "'\(name)' cannot name a sink; take up to 64 lower-case letters, digits and hyphens, from a letter to a "
                    + "letter or digit")
        }
        guard sinkKit != nil || language != .swift else {
            throw SinkHostError(
                .usage, "this program was not built in a source tree, and has no place of SinkKit's own",
                remedy: .nameSinkKit)
        }
        self.name = name
        self.language = language
        self.sinkKit = sinkKit
    }

    /// Writes the sink into a new folder of its name.
    ///
    /// - Returns: the folder.
    /// - Throws: ``SinkHostError`` where there is something of that name already, or the files cannot be written.
    package func write(into parent: FilePath) throws -> FilePath {
        let folder = parent.appending(name)
        guard mkdir(folder) else {
            let number = Errno(rawValue: errno)
            throw number == .fileExists
                ? SinkHostError(
                    .usage, "\(folder) is there already, and nothing is overwritten", remedy: .nameOtherSinkFolder)
                : SinkHostError(.usage, "\(folder) cannot be made: \(number)", remedy: .nameWritableFolder)
        }
        do {
            for file in renamed { try write(file, into: folder) }
        } catch {
            throw SinkHostError(.usage, "\(folder) cannot be filled: \(error)")
        }
        return folder
    }

    /// The example's files, with its name in every form replaced by the new one's.
    private var renamed: [File] {
        let example = language.example
        return Self.files.filter { $0.path.hasPrefix(example + "/") }.map { file in
            File(
                path: renamed(String(file.path.dropFirst(example.utf8.count + 1))), isExecutable: file.isExecutable,
                text: sinkKit?.put(into: renamed(file.text)) ?? renamed(file.text))
        }
    }

    private func renamed(_ text: String) -> String {
        text.replacing(Self.typeName(language.example), with: Self.typeName(name)).replacing(
            language.example, with: name)
    }

    /// The name as Swift's types have it: `line-count` is `LineCount`. What SinkKit has a type of is another word.
    static func typeName(_ name: String) -> String {
        let type = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return taken.contains(type) ? type + "Program" : type
    }

    private static let taken: Set<String> = [
        "Sink", "SinkKit", "Delivery", "Settlement", "Product", "SinkFailure", "Report", "String", "Foundation",
    ]

    private func mkdir(_ folder: FilePath) -> Bool {
        folder.withPlatformString { systemMkdir($0, 0o755) == 0 }
    }

    private func write(_ file: File, into folder: FilePath) throws {
        let path = folder.appending(file.path)
        var inner = folder
        for component in FilePath(file.path).components.dropLast() {
            inner.append(component)
            guard mkdir(inner) || errno == EEXIST else { throw Errno(rawValue: errno) }
        }
        let target = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow],
            permissions: FilePermissions(rawValue: file.isExecutable ? 0o755 : 0o644))
        try target.closeAfter { _ = try target.writeAll(Array(file.text.utf8)) }
    }
}

/// The system call; inside a type with a `mkdir` of its own the name would be ambiguous.
private func systemMkdir(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> Int32 { mkdir(path, mode) }
