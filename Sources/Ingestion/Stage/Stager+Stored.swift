internal import Files
internal import Formats
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import Sniffing

/// Content that the container has needs no room.
extension Stager {
    /// Discards a staged copy of content that the container has already, if other content needs the room.
    func sparing(_ object: StagedObject) throws -> StagedObject {
        guard area.isNearlyFull, let stored = try known?.object(object.digest, size: object.size) else {
            return object
        }
        object.discard()
        return stored
    }

    /// Finds the content of a file in the container; see ``findStored(_:_:isBundle:claims:after:read:)``.
    func findStored(
        _ source: borrowing OpenedFile, _ candidate: Candidate, claims: TypeClaims, after failure: any Error
    ) throws -> StagedContent {
        try source.rewind()
        let hasher = source.payload?.makeHasher()
        var content = try findStored(source.size, candidate, isBundle: false, claims: claims, after: failure) { body in
            while case let count = try source.read(into: buffer), count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                hasher?.update(bytes)
                try body(bytes)
            }
            return ContentBytes(descriptor: source.descriptor.rawValue, size: source.size)
        }
        let object = content.object
        content.setTimes(of: source, try stamp(of: source, afterReading: object.size, digest: object.digest))
        if let hasher { try source.payload?.check(hasher) }
        return content
    }

    /// Content that needs no room, because the container has it already: it is hashed and not staged.
    ///
    /// - Parameters:
    ///   - size: the size of the content; 0 if it is unknown.
    ///   - failure: the error of the staging, which is thrown if the container does not have the content.
    ///   - read: passes the content on in pieces, and returns the bytes that show its type.
    func findStored(
        _ size: Int64, _ candidate: Candidate, isBundle: Bool, claims: TypeClaims, after failure: any Error,
        read: ((UnsafeRawBufferPointer) throws -> Void) throws -> ContentBytes
    ) throws -> StagedContent {
        // Without this question, each run would hash a huge file that has no room.
        guard size > 0, let known, try known.mayHave(size: size) else { throw failure }
        let hasher = SHA256Hasher()
        var count: Int64 = 0
        let content = try read { bytes in
            try Task.checkCancellation()
            hasher.update(bytes)
            count += Int64(bytes.count)
            // The reading of a file that grows would never end.
            guard count <= size else { throw failure }
        }
        guard let object = try known.object(hasher.finish(), size: count) else { throw failure }
        let identification = try identify(content, candidate, isBundle: isBundle, claims: claims)
        return StagedContent(
            object: object, identification: identification, isBundle: isBundle,
            imageSize: try imageSize(content, identification))
    }
}
