public import ShareModel
public import SystemPackage

/// The bytes of the container: immutable objects, named by their SHA-256. Calls block their thread.
///
/// Between a batch's decision that content is known and the commit of its rows, no process may remove objects. In a
/// local container the callers hold the objects lock for that; see ``LockArea/objects``.
///
/// *Must:* after ``commit(_:vouched:)`` returns, each object is durable under its final name. *Must:* an object at its
/// final name proves nothing before a row of the catalog names it.
public protocol ObjectStore: Sendable {
    /// Makes a staging area for one writer.
    func makeStagingArea() throws -> any StagingArea

    /// Gives staged objects their final names and makes them durable.
    ///
    /// Staged objects with the same digest become one object. *Must:* if an object's name is taken and `vouched` does
    /// not return its digest, the staged object replaces the old one, and is durable before that. Its bytes were hashed
    /// a moment ago; the old ones may be torn. *Must:* if `vouched` does not return the digest of an object whose place
    /// is a ``StoredPlace``, or its size is another one, the call fails.
    ///
    /// - Parameter vouched: receives the digests whose names are or may be taken, in at most one call, and returns those
    ///   that are known to be durable.
    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws

    /// Opens a local file with the object's bytes for reading; the caller closes it. A remote store downloads them
    /// first.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if there is no such object.
    func open(_ digest: Digest) throws -> FileDescriptor

    /// The path of a local file with the object's bytes; `nil` if the store keeps no local files. The file never
    /// changes, so a sandbox may show it to a sink under another name. It does not exist if the object is missing.
    func localPath(of digest: Digest) -> FilePath?

    /// The size in bytes of the file that has the object's final name; `nil` if no file has it.
    func size(_ digest: Digest) throws -> Int64?
}

extension ObjectStore {
    /// `nil`: a store on another machine has no local files.
    public func localPath(of digest: Digest) -> FilePath? { nil }

    /// Commits objects whose durability no row vouches for, so each replaces an object of its name.
    public func commit(_ staged: [StagedObject]) throws { try commit(staged) { _ in [] } }
}

/// One writer's place for unfinished objects. One thread at a time uses it. When the area ends, its uncommitted objects
/// are discarded.
public protocol StagingArea: AnyObject {
    /// Begins a new object.
    ///
    /// - Parameter size: the expected size in bytes; 0 if it is unknown.
    /// - Throws: ``ContainerError`` with the code `tooLarge` if the object would use the reserve of the disk, and `full`
    ///   if no other object has room either. No byte is written then. The writing of bytes throws the same, for those
    ///   that exceed the expected size.
    func makeFile(expecting size: Int64) throws -> any StagingFile

    /// Stages an object whose bytes are all in memory. The area trusts the digest.
    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject

    /// Whether little room is left, so that staged copies of content that the store has should be discarded at once.
    var isNearlyFull: Bool { get }
}

extension StagingArea {
    /// `false`: a store on another machine has room.
    public var isNearlyFull: Bool { false }

    /// Begins a new object of unknown size.
    public func makeFile() throws -> any StagingFile { try makeFile(expecting: 0) }
}

/// An object that is written in one pass. If the writing does not finish, the object is discarded.
public protocol StagingFile: AnyObject {
    /// A local file of the staged bytes, open for reading too, because the pipeline looks into them to find their type.
    var descriptor: FileDescriptor { get }
    /// The number of bytes that were written until now.
    var size: Int64 { get }

    /// Writes all of `bytes` and hashes them.
    func append(_ bytes: UnsafeRawBufferPointer) throws

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    func finish() -> StagedObject

    /// Copies the rest of an open file, and finishes the object. The file's position moves to its end. A caller appends
    /// nothing before or after.
    ///
    /// *Must:* the digest is that of the staged bytes, even if the source changes meanwhile.
    ///
    /// - Parameters:
    ///   - first: the bytes that the caller has already read from the source.
    ///   - read: reads the next bytes of the source into the buffer, and returns their number; 0 at the end.
    ///   - body: receives the size of each piece, in bytes. An error that it throws ends the copy.
    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject
}

/// A whole object in a staging area, on its way into the store.
public struct StagedObject: Sendable {
    /// The SHA-256 of all written bytes, which is the object's name.
    public let digest: Digest
    /// The size in bytes.
    public let size: Int64
    /// The place of the bytes, for the store that staged them.
    public let place: any StagedPlace

    /// An object that a staging area has finished.
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
    /// Whether there are no bytes to discard, because the store has the object already; see ``StoredPlace``.
    var isStored: Bool { get }
}

extension StagedPlace {
    /// `false`, as for every place with staged bytes.
    public var isStored: Bool { false }
}

/// The place of content that has no staged bytes, because the store has the object already.
public struct StoredPlace: StagedPlace {
    /// The place of an object under its final name.
    public init() {}

    /// Does nothing: there are no staged bytes.
    public func discard() {}

    /// `true`.
    public var isStored: Bool { true }
}
