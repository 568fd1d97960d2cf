internal import Files
internal import Glibc
internal import SinkHost
package import SystemPackage

/// The start of a new sink: a working example of this project under another name.
package struct SinkTemplate: Sendable {
    /// The languages of the examples.
    package enum Language: String, Sendable, CaseIterable {
        case swift, python, shell

        /// The example in this language.
        var example: String {
            switch self {
            case .swift: "line-count"
            case .python: "word-count"
            case .shell: "checksum"
            }
        }
    }

    /// A file of an example, embedded into the program.
    struct File: Sendable, Equatable {
        /// The path below the folder of the examples.
        let path: String
        let isExecutable: Bool
        let text: String

        init(path: String, isExecutable: Bool, text: String) {
            self.path = path
            self.isExecutable = isExecutable
            self.text = text
        }

        /// - Parameter lines: the text without its last line feed, with one more character at the start of each line.
        ///   This margin keeps empty lines and indentation in a Swift literal.
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
    ///   - sinkKit: the source of SinkKit; only a sink in Swift needs it.
    /// - Throws: ``SinkHostError`` if the name is not valid, or if SinkKit is missing.
    package init(name: String, language: Language, sinkKit: SinkKitPlace? = nil) throws {
        // Stricter than the protocol, because the name of a Swift type is made of it, which cannot begin with a digit.
        let isName = try SchemaPattern("^[a-z][a-z0-9-]{0,63}$").matches(name)
        guard isName, !name.hasSuffix("-") else {
            throw SinkHostError(
                .usage,
                "'\(name)' cannot name a sink; choose up to 64 lower-case letters, digits and hyphens, "
                    + "with a letter first and no hyphen last")
        }
        guard sinkKit != nil || language != .swift else {
            throw SinkHostError(
                .usage, "this program is not in a source tree, so it cannot find SinkKit",
                remedy: .nameSinkKit)
        }
        self.name = name
        self.language = language
        self.sinkKit = sinkKit
    }

    /// Writes the sink into a new folder of its name.
    ///
    /// - Returns: the folder.
    /// - Throws: ``SinkHostError`` if the name is taken already, or if the files cannot be written.
    package func write(into parent: FilePath) throws -> FilePath {
        let folder = parent.appending(name)
        guard mkdir(folder) else {
            let number = Errno(rawValue: errno)
            throw number == .fileExists
                ? SinkHostError(
                    .usage, "\(folder) exists already, and is not overwritten", remedy: .nameOtherSinkFolder)
                : SinkHostError(.usage, "\(folder) cannot be made: \(number)", remedy: .nameWritableFolder)
        }
        do {
            for file in renamed { try write(file, into: folder) }
        } catch {
            // Half of a sink would be in the way of the next attempt.
            remove(folder, on: .system)
            throw SinkHostError(.usage, "\(folder) cannot be filled: \(error)")
        }
        return folder
    }

    /// The files of the example, with every form of its name replaced by the new name.
    private var renamed: [File] {
        let example = language.example
        return Self.files.filter { $0.path.hasPrefix(example + "/") }.map { file in
            File(
                path: renamed(String(file.path.dropFirst(example.utf8.count + 1))), isExecutable: file.isExecutable,
                // The place is put in last: if it contains the example's name, that must not be replaced.
                text: sinkKit?.put(into: renamed(file.text)) ?? renamed(file.text))
        }
    }

    private func renamed(_ text: String) -> String {
        text.replacing(Self.typeName(language.example), with: Self.typeName(name)).replacing(
            language.example, with: name)
    }

    /// The name of the Swift type: `LineCount` for `line-count`. A name that is already a type or module gets a suffix.
    static func typeName(_ name: String) -> String {
        let type = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return taken.contains(type) ? type + "Program" : type
    }

    private static let taken: Set<String> = [
        "Sink", "SinkKit", "Delivery", "Settlement", "Product", "SinkFailure", "Report", "String", "Foundation",
    ]

    private func remove(_ folder: FilePath, on fileSystem: some FileSystem) { fileSystem.removeTree(folder) }

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

/// The system call. Inside of a type with a method of this name, the bare name means the method.
private func systemMkdir(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> Int32 { mkdir(path, mode) }
