internal import GroupContainer
internal import ShareModel

/// The content that a container has. It needs no room when it comes in again.
struct KnownContent: Sendable {
    let container: Container

    /// Whether the container may have content of this size.
    func mayHave(size: Int64) throws -> Bool { try container.catalog.mayHaveObject(ofSize: size) }

    /// The object with this content, if the container has it. The commit checks again that it is there.
    func object(_ digest: Digest, size: Int64) throws -> StagedObject? {
        guard try container.objects.size(digest) == size,
            try container.catalog.knownObjects(among: [digest]).contains(digest)
        else { return nil }
        return StagedObject(digest: digest, size: size, place: StoredPlace())
    }
}
