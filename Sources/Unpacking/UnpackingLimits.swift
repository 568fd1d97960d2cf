/// The limits of what is read from a sender before anything is believed.
public struct UnpackingLimits: Sendable {
    /// The longest `share.json` or standard input, in bytes: 32 MiB.
    public var descriptionBytes = 32 << 20
    /// Items in one package.
    public var items = 1_000
    /// Attachments in one package, over all its items.
    public var attachments = 10_000
    /// Representations of one attachment.
    public var representations = 100
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

    /// The defaults.
    public init() {}
}
