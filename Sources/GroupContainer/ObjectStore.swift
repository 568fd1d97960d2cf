public import ShareModel
public import SystemPackage

/// The bytes of the container: immutable objects, named by their SHA-256. Calls block their thread.
///
/// *Must:* after ``commit(_:)`` returns, each object is durable under its final name. *Must:* an object at its final name
/// proves nothing before a row of the catalog names it.
public protocol ObjectStore: Sendable {
    /// A place for one writer.
    func makeStagingArea() throws -> StagingArea

    /// Gives staged objects their final names and makes them durable, all with one sync; with two where a name is taken.
    ///
    /// Several with the same digest are one object. An object that is there already, with no row to vouch for it, is
    /// replaced by the staged one, whose bytes were hashed a moment ago. *Must:* that one is durable before it replaces
    /// anything.
    func commit(_ staged: [StagedObject]) throws

    /// Opens an object for reading.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where there is none.
    func open(_ digest: Digest) throws -> FileDescriptor

    /// The size in bytes of what lies under the object's final name; `nil` where nothing does.
    func size(_ digest: Digest) throws -> Int64?
}
