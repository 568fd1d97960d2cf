/// The limits of the input that the readers accept.
public struct ReadingLimits: Sendable {
    /// The longest description, in bytes: 32 MiB.
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
    /// The longest `.sluiceignore`, in bytes: 64 KiB. Each of its patterns is compared with each name below its folder.
    public var ignoreBytes = 64 << 10
    /// The longest pattern of names, in bytes: 4 KiB, as the longest path. The time of a comparison grows with it.
    public var ignorePatternBytes = 4 << 10
    /// Patterns in one `.sluiceignore`, and in the options of a run. Empty lines and comments do not count.
    public var ignorePatterns = 1_000
    /// Names in a folder that begin with one stem and a dot. Files with more such neighbors are not grouped.
    public var stemNames = 64
    /// Folders within folders, in a walk and in a folder that is one document.
    public var depth = 64
    /// Files and folders in a folder that is one document.
    public var bundleEntries = 100_000
    /// Files in a bag.
    public var bagEntries = 1_000_000
    /// Files of a bag outside of its payload, such as receipts.
    public var bagTagFiles = 3_000_000
    /// The longest manifest of a bag, in bytes: 256 MiB.
    public var manifestBytes = 256 << 20
    /// The longest receipt of a package in a bag, in bytes: 8 MiB. A package with a longer one comes in without it.
    public var receiptBytes = 8 << 20
    /// Values in a receipt of a bag.
    public var receiptValues = 500_000
    /// Sightings in a receipt of a bag.
    public var sightings = 10_000
    /// Records of one package in a bag, such as its description.
    public var records = 100
    /// The records of one package in a bag, in bytes: 64 MiB together, because they are in memory at once.
    public var recordBytes = 64 << 20
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

    /// The longest header of a part of a form, in bytes, with the names of its field and file: 16 KiB.
    public var formHeaderBytes = 16 << 10
    /// The title, the text and the addresses of a form, in bytes: 1 MiB.
    public var formFieldBytes = 1 << 20

    /// The defaults.
    public init() {}
}
