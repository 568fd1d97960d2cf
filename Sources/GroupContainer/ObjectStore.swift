public import ShareModel
public import SystemPackage

/// The bytes of the container: immutable objects, named by their SHA-256. Calls block their thread.
///
/// *Must:* after ``commit(_:vouched:)`` returns, each object is durable under its final name. *Must:* an object at its final name
/// proves nothing before a row of the catalog names it.
public protocol ObjectStore: Sendable {
    /// A place for one writer.
    func makeStagingArea() throws -> StagingArea

    /// Gives staged objects their final names and makes them durable, all with one sync; with two where what has a name
    /// is replaced, with none where nothing is new.
    ///
    /// Several with the same digest are one object. *Must:* what has a name already, with nobody to vouch for it, is
    /// replaced by the staged one, whose bytes were hashed a moment ago, and which is durable before.
    ///
    /// - Parameter vouched: asked about those whose names are taken: which of them are known to be durable.
    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws

    /// Opens an object for reading.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where there is none.
    func open(_ digest: Digest) throws -> FileDescriptor

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    func size(_ digest: Digest) throws -> Int64?
}

extension ObjectStore {
    /// Commits objects that nobody vouches for.
    public func commit(_ staged: [StagedObject]) throws { try commit(staged) { _ in [] } }
}
