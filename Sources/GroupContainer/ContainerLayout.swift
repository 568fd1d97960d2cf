package import Files
package import ShareModel
package import SystemPackage

/// The paths in a group container. See <doc:ContainerFormat>.
package struct ContainerLayout: Sendable {
    /// The version of the format that this program reads and writes.
    package static let version = 9
    /// The group whose processes share a container, unless a caller names another one.
    package static let defaultGroup = "group.sluice.default"

    private static let objectsName = ContainerMark.objects

    /// The container's folder.
    package let root: FilePath
    /// The folder of all objects. It is stored, because each object's path begins with it.
    package let objects: FilePath

    /// The layout of a container at `root`, which need not exist; a relative path starts at the working folder.
    package init(root: FilePath) {
        self.root = root.absolute
        objects = self.root.appending(Self.objectsName)
    }

    package var format: FilePath { root.appending(ContainerMark.file) }
    package var catalog: FilePath { root.appending("catalog.sqlite") }
    /// The index of the write-ahead log, which SQLite maps into memory.
    var catalogIndex: FilePath { FilePath(catalog.string + "-shm") }
    /// The words of the packages, for searches. Everything in it can be made again.
    package var search: FilePath { root.appending("search.sqlite") }
    var staging: FilePath { root.appending("tmp") }
    /// The folders that the processes of sinks see: `work/<sink>/<n>/{in,out}`.
    package var work: FilePath { root.appending("work") }
    package var library: FilePath { root.appending("library") }
    /// The damaged objects that a repair moved away: `quarantine/<sha256>`.
    package var quarantine: FilePath { root.appending("quarantine") }
    package var run: FilePath { root.appending("run") }
    /// The name of the file that each commit writes, and observers of the feed watch.
    static let changesName = "changes"
    package var changes: FilePath { run.appending(Self.changesName) }
    /// A clone of an object that has no name in the library yet.
    package var libraryPart: FilePath { run.appending("library.part") }
    /// Files of packages under their names: `run/open/<package>/<sha256>/<name>`.
    package var opened: FilePath { run.appending("open") }
    /// Files of the library that are being removed.
    package var libraryOld: FilePath { run.appending("library.old") }
    /// The user markers: whose container this is, for each account.
    package var accounts: FilePath { root.appending("accounts") }
    package func lock(_ area: LockArea) -> FilePath { run.appending(area.file) }

    /// An object's final name.
    package func object(_ digest: Digest) -> FilePath { objects.appending(Self.nameOfObject(digest)) }

    /// An object's final name, relative to the container.
    package static func relativeObject(_ digest: Digest) -> String { "\(objectsName)/\(nameOfObject(digest))" }

    /// An object's final name, relative to the folder of the objects.
    private static func nameOfObject(_ digest: Digest) -> String {
        let name = digest.description
        return "\(name.prefix(2))/\(name)"
    }
}

extension ContainerLayout {
    /// Watches for commits of any process that add to the feed.
    ///
    /// - Parameter output: a pipe or terminal, not owned. The wait ends when no process reads from it any more.
    package func watchChanges(output: FileDescriptor? = nil) throws(FileError) -> FileWatch {
        try FileWatch(run, name: Self.changesName, orMoved: root, output: output)
    }

    /// Watches for commits, and for processes that release the lock of an area or end an attempt at it.
    package func watchChanges(orReleasesOf area: LockArea) throws(FileError) -> FileWatch {
        try watchChanges(orClosed: lock(area).lastComponent?.string)
    }

    /// Watches for commits, and for processes that close this file of the folder `run`.
    package func watchChanges(orClosed name: String?) throws(FileError) -> FileWatch {
        try FileWatch(run, name: Self.changesName, orMoved: root, orClosed: name)
    }
}
