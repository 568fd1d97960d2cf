internal import Files
internal import Glibc
internal import SinkHost
package import SystemPackage

/// The source of SinkKit for a sink in Swift.
package enum SinkKitPlace: Sendable, Equatable {
    /// A source tree of this project.
    case folder(FilePath)
    /// The URL of its repository. The sink uses the branch `main`.
    case repository(String)

    /// The text in the examples' `Package.swift` that names their own source tree.
    static let inTree = #"path: "../../..""#

    /// The source tree that a program was built in: the nearest folder above it with the sources of SinkKit.
    package static func above(_ program: FilePath) -> SinkKitPlace? {
        var folder = program.removingLastComponent()
        while !folder.components.isEmpty {
            if isTree(folder) { return .folder(folder) }
            folder = folder.removingLastComponent()
        }
        return nil
    }

    /// The source tree that the running program was built in.
    package static var aboveProgram: SinkKitPlace? { above(ProgramPath.current) }

    /// - Parameter text: a source tree of this project, or the URL of its repository.
    package init(naming text: String) throws {
        let path = FilePath(text).absolute
        if Self.isTree(path) {
            self = .folder(path)
        } else if text.contains("://") || text.contains("@") {
            // Git also takes `user@host:path`, which has no scheme.
            self = .repository(text)
        } else {
            throw SinkHostError(.usage, "\(text) is neither a source tree with Sources/SinkKit nor the URL of one")
        }
    }

    private static func isTree(_ folder: FilePath) -> Bool {
        folder.appending("Sources/SinkKit/Sink.swift").withPlatformString { access($0, R_OK) } == 0
    }

    func put(into text: String) -> String {
        let words =
            switch self {
            case .folder(let path): "path: \(Self.quoted(path.string))"
            case .repository(let url): "url: \(Self.quoted(url)), branch: \"main\""
            }
        let named = #"name: "sluice", "# + Self.inTree
        guard case .repository = self else { return text.replacing(Self.inTree, with: words) }
        // SwiftPM takes the name of a repository from its URL.
        return text.replacing(named, with: words)
    }

    /// The text as a literal of Swift. A line feed would end the literal.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\u{0}"..<" ", "\u{7F}": "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
