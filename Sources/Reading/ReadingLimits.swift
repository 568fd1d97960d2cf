/// The limits of the input that the readers accept.
public struct ReadingLimits: Sendable {
    /// The longest `share.json` or standard input, in bytes: 32 MiB.
    public var descriptionBytes = 32 << 20
    /// Values in a description: objects, arrays, strings, numbers … Each takes memory when it is decoded.
    public var descriptionValues = 250_000
    /// Items in one package.
    public var items = 1_000
    /// Attachments in one package, over all its items.
    public var attachments = 10_000
    /// Representations of one attachment.
    public var representations = 100
    /// Representations in one package, over all its attachments.
    public var packageRepresentations = 50_000
    /// Folders within folders, in a walk and in a folder that is one document.
    public var depth = 64
    /// Files and folders in a folder that is one document.
    public var bundleEntries = 100_000
    /// Files in a bag.
    public var bagEntries = 1_000_000
    /// The longest manifest of a bag, in bytes: 256 MiB.
    public var manifestBytes = 256 << 20
    /// The longest sender's identifier, in bytes.
    public var identifierBytes = 255

    /// Containers within containers, the outermost one included. A container deeper than this stays whole: it is a part
    /// like any other.
    public var containerDepth = 8
    /// Parts in a container and in all containers inside it.
    public var containerParts = 10_000
    /// Bytes of all parts in a container and in all containers inside it, as unpacked: 16 GiB. The bytes of an inner
    /// container count besides those of its parts.
    public var containerBytes: Int64 = 16 << 30
    /// The times that one container is read from its beginning, because a part before the last one is needed after all.
    public var containerPasses = 16

    /// The defaults.
    public init() {}
}
