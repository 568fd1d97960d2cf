package import Formats
package import ShareModel

/// Concludes the type of content from its bytes. Each worker needs its own instance, because implementations hold
/// handles that threads cannot share.
package protocol ContentSniffer {
    /// Concludes the type of `content`. The bytes decide; claims can only refine the conclusion within its family.
    ///
    /// - Throws: an error if the content cannot be read. Unrecognized bytes are not an error; their type is
    ///   ``MediaType/unknown``.
    func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification
}
