public import ShareModel
public import SystemPackage

/// Where things lie in a group container. See <doc:ContainerFormat>.
public struct ContainerLayout: Sendable {
    /// The version of the format that this program reads and writes.
    public static let version = 4
    /// The group whose processes share a container, where nobody says otherwise.
    public static let defaultGroup = "group.sluice.default"

    /// The container's folder.
    public let root: FilePath

    /// The layout of a container at `root`; nothing is looked at or made on disk.
    public init(root: FilePath) { self.root = root }

    var format: FilePath { root.appending("format") }
    var objects: FilePath { root.appending("objects") }
    var catalog: FilePath { root.appending("catalog.sqlite") }
    var staging: FilePath { root.appending("tmp") }
    /// What sink processes see: `work/<sink>/<n>/{in,out}`.
    public var work: FilePath { root.appending("work") }
    var library: FilePath { root.appending("library") }
    /// Damaged objects, moved away by a repair: `quarantine/<sha256>`.
    var quarantine: FilePath { root.appending("quarantine") }
    var run: FilePath { root.appending("run") }
    static let changesName = "changes"
    var changes: FilePath { run.appending(Self.changesName) }
    func lock(_ area: LockArea) -> FilePath { run.appending(area.rawValue + ".lock") }

    /// An object's final name.
    public func object(_ digest: Digest) -> FilePath { root.appending(Self.relativeObject(digest)) }

    /// An object's final name, relative to the container.
    static func relativeObject(_ digest: Digest) -> String {
        let name = digest.description
        return "objects/\(name.prefix(2))/\(name)"
    }
}
