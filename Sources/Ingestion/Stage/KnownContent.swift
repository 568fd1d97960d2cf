internal import GroupContainer
internal import ShareModel

/// The content that a container has. It needs no room when it comes in again.
struct KnownContent: Sendable {
    let container: Container

    /// Content of fewer bytes is hashed faster than a catalog reads the sizes of a million objects.
    static let sizeOfSearch: Int64 = 64 << 20

    /// Whether it is worth hashing content of this size to look for it: always if it is small, and otherwise if the
    /// container has content of the size.
    func mayHave(size: Int64) throws -> Bool {
        try size < Self.sizeOfSearch || container.catalog.mayHaveObject(ofSize: size)
    }

    /// The object with this content, if the container has it. The commit checks again that it is there.
    func object(_ digest: Digest, size: Int64) throws -> StagedObject? {
        guard try container.objects.size(digest) == size,
            try container.catalog.knownObjects(among: [digest]).contains(digest)
        else { return nil }
        return StagedObject(digest: digest, size: size, place: StoredPlace())
    }
}
