public import ShareModel
public import SystemPackage

/// The bytes of the container: immutable objects, named by their SHA-256. Calls block their thread.
///
/// Whoever removes objects waits until no batch is between its decision that content is known and its rows. In a local
/// container the objects lock sees to that, which callers hold; see ``LockArea/objects``.
///
/// *Must:* after ``commit(_:vouched:)`` returns, each object is durable under its final name. *Must:* an object at its
/// final name proves nothing before a row of the catalog names it.
public protocol ObjectStore: Sendable {
    /// A place for one writer.
    func makeStagingArea() throws -> any StagingArea

    /// Gives staged objects their final names and makes them durable, all with one sync; with two where what has a name
    /// is replaced, with none where nothing is new.
    ///
    /// Several with the same digest are one object. *Must:* what has a name already, with nobody to vouch for it, is
    /// replaced by the staged one, whose bytes were hashed a moment ago, and which is durable before.
    ///
    /// - Parameter vouched: asked about those whose names are taken: which of them are known to be durable.
    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws

    /// Opens a local file with the object's bytes for reading; the caller closes it. A store that is elsewhere fetches
    /// them first.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where there is none.
    func open(_ digest: Digest) throws -> FileDescriptor

    /// A local file with the object's bytes, which never changes and may get another name; `nil` if the store has none.
    /// The object may be missing.
    func localPath(of digest: Digest) -> FilePath?

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    func size(_ digest: Digest) throws -> Int64?
}

extension ObjectStore {
    /// A store that is not on this machine has no local files.
    public func localPath(of digest: Digest) -> FilePath? { nil }

    /// Commits objects that nobody vouches for.
    public func commit(_ staged: [StagedObject]) throws { try commit(staged) { _ in [] } }
}

/// One writer's own place for unfinished objects. Not shared between threads; what is left in it goes with it.
public protocol StagingArea: AnyObject {
    /// Begins a new object.
    ///
    /// - Parameter size: how many bytes it will have, as far as that is known, so that there is room for them.
    /// - Throws: with code `full`, before anything is written, where it would take the reserve.
    func makeFile(expecting size: Int64) throws -> any StagingFile

    /// Takes an object that is at hand as a whole, whose digest is known.
    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject
}

extension StagingArea {
    /// Begins a new object of unknown size.
    public func makeFile() throws -> any StagingFile { try makeFile(expecting: 0) }
}

/// An object that is being written, in one pass. Thrown away unless it is finished.
public protocol StagingFile: AnyObject {
    /// A local file, open for reading too, so that the staged bytes can be looked into.
    var descriptor: FileDescriptor { get }
    /// In bytes, so far.
    var size: Int64 { get }

    /// Writes all of `bytes`, however many writes that takes, and hashes them on their way.
    func append(_ bytes: UnsafeRawBufferPointer) throws

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    func finish() -> StagedObject

    /// Takes all that is left of an open file, whose position moves to its end. Nothing may be appended before or
    /// after.
    ///
    /// *Must:* the bytes that are hashed are the bytes that are staged, also where the source changes meanwhile.
    ///
    /// - Parameters:
    ///   - first: what was read of it already.
    ///   - read: reads on in the source: how many bytes there were, 0 at the end.
    ///   - body: receives the size of each piece, in bytes; ends the copying by what it throws.
    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject
}

/// A whole object in a staging area, on its way into the store.
public struct StagedObject: Sendable {
    /// The SHA-256 of all that was written: the name that the object will have.
    public let digest: Digest
    /// In bytes.
    public let size: Int64
    /// Where the store that staged it has the bytes.
    public let place: any StagedPlace

    /// An object of so many bytes; `place` gives them to the store that staged it.
    public init(digest: Digest, size: Int64, place: any StagedPlace) {
        self.digest = digest
        self.size = size
        self.place = place
    }

    /// Gives the staged bytes up; for those that will not be committed. At most once.
    public func discard() { place.discard() }
}

/// Where a store has the bytes of a staged object.
public protocol StagedPlace: Sendable {
    /// Gives the bytes up.
    func discard()
}
