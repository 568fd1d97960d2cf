public import ShareModel
public import SystemPackage

/// The bytes of the container: immutable objects, named by their SHA-256. Calls block their thread.
///
/// A process removes objects only while no batch is between its decision that content is known and its rows. In a local
/// container the callers hold the objects lock for that; see ``LockArea/objects``.
///
/// *Must:* after ``commit(_:vouched:)`` returns, each object is durable under its final name. *Must:* an object at its
/// final name proves nothing before a row of the catalog names it.
public protocol ObjectStore: Sendable {
    /// Makes a staging area for one writer.
    func makeStagingArea() throws -> any StagingArea

    /// Gives staged objects their final names and makes them durable.
    ///
    /// Several with the same digest are one object. *Must:* if an object's name is taken and `vouched` does not return its
    /// digest, the staged object replaces the old one, and is durable before that. Its bytes were hashed a moment ago; the
    /// old ones may be torn.
    ///
    /// - Parameter vouched: called at most once, with the digests whose names are taken; returns those that are known to be
    ///   durable.
    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws

    /// Opens a local file with the object's bytes for reading; the caller closes it. A remote store downloads them first.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if there is no such object.
    func open(_ digest: Digest) throws -> FileDescriptor

    /// A local file with the object's bytes, which never changes and may get another name; `nil` if the store has none.
    /// The object may be missing.
    func localPath(of digest: Digest) -> FilePath?

    /// The size in bytes of what has the object's final name; `nil` if nothing has it.
    func size(_ digest: Digest) throws -> Int64?
}

extension ObjectStore {
    /// `nil`: a store on another machine has no local files.
    public func localPath(of digest: Digest) -> FilePath? { nil }

    /// Commits objects that nobody vouches for.
    public func commit(_ staged: [StagedObject]) throws { try commit(staged) { _ in [] } }
}

/// One writer's place for unfinished objects. One thread at a time uses it. Objects that were not committed go with it.
public protocol StagingArea: AnyObject {
    /// Begins a new object.
    ///
    /// - Parameter size: the expected size in bytes; 0 if it is unknown.
    /// - Throws: ``ContainerError`` with the code `full`, before anything is written, if the object would take the reserve.
    func makeFile(expecting size: Int64) throws -> any StagingFile

    /// Stages an object whose bytes are all in memory. The area trusts the digest.
    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject
}

extension StagingArea {
    /// Begins a new object of unknown size.
    public func makeFile() throws -> any StagingFile { try makeFile(expecting: 0) }
}

/// An object that is being written, in one pass. It is discarded unless it is finished.
public protocol StagingFile: AnyObject {
    /// A local file, open for reading too, so that the staged bytes can be looked into.
    var descriptor: FileDescriptor { get }
    /// The bytes that were written until now.
    var size: Int64 { get }

    /// Writes all of `bytes` and hashes them.
    func append(_ bytes: UnsafeRawBufferPointer) throws

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    func finish() -> StagedObject

    /// Copies the rest of an open file, whose position moves to its end, and finishes the object. Nothing may be appended
    /// before or after.
    ///
    /// *Must:* the digest is that of the staged bytes, even if the source changes meanwhile.
    ///
    /// - Parameters:
    ///   - first: the bytes that the caller has read already; they come first.
    ///   - read: reads on in the source, and returns the number of bytes; 0 at the end.
    ///   - body: receives the size of each piece, in bytes. An error of it ends the copy.
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

    /// Discards the staged bytes of an object that will not be committed. Called at most once.
    public func discard() { place.discard() }
}

/// The place where a store has the bytes of a staged object. A store casts it back to its own type.
public protocol StagedPlace: Sendable {
    /// Discards the bytes.
    func discard()
}
