public import Formats
public import ShareModel

/// Says what bytes are. One a worker: implementations hold handles that are not shared between threads.
public protocol ContentSniffer {
    /// Concludes the type of `content`. The bytes decide; claims can only refine the conclusion within its family.
    ///
    /// - Throws: when the content cannot be read. Bytes that nobody knows are no error, but ``MediaType/unknown``.
    func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification
}
