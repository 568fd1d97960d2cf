public import SystemPackage

/// One share as it arrived: one or more extension items that describe the *same* resource.
public struct SharePackage: Sendable, Equatable {
    /// The sender's own name for this share; the same name again is the same package.
    public var id: String?
    /// Where it came from.
    public var source: PackageSource
    /// In the sender's order, which breaks ties of the resolve policy.
    public var items: [ExtensionItem]
    /// What the reader noticed and ignored: unknown keys, mostly.
    public var warnings: [String]

    /// A package as its reader found it; nothing in it is opened yet.
    public init(id: String? = nil, source: PackageSource, items: [ExtensionItem], warnings: [String] = []) {
        self.id = id
        self.source = source
        self.items = items
        self.warnings = warnings
    }
}

/// Where a package came from, and the folder that its relative paths start from.
public struct PackageSource: Sendable, Hashable {
    /// What a source is. The raw values are the words in receipts and in the catalog.
    public enum Kind: String, Sendable, Codable {
        /// A plain file: a package of one provider.
        case file
        /// A folder `NAME.share` with a `share.json`.
        case share
        /// A folder that is one document, such as `Letter.pages`.
        case bundle
        /// JSON on standard input, which cannot be read again.
        case standardInput = "stdin"
        /// Something in a walked folder that is no package: a link, a device, a hidden file.
        case other
    }

    /// What the source is, as the reader recognized it.
    public var kind: Kind
    /// The path as it was named or walked to; for standard input `-`.
    public var path: FilePath
    /// The folder below which the package's own files lie; `nil` where it has none (standard input).
    public var folder: FilePath?
    /// The folder that the user named, the package's own or one above it: the way from here down to ``folder`` is the
    /// sender's, and no link on it is followed.
    public var root: FilePath?
    /// Of a plain file: its stamp, when it was found.
    public var stamp: SourceStamp?
    /// The manifest of the bag that it lies in, which its files are held against; `nil` outside of bags.
    public var bag: BagManifest?

    /// A source; nothing is looked at on disk.
    public init(
        kind: Kind, path: FilePath, folder: FilePath?, root: FilePath? = nil, stamp: SourceStamp? = nil,
        bag: BagManifest? = nil
    ) {
        self.bag = bag
        self.kind = kind
        self.path = path
        self.folder = folder
        self.root = root ?? folder
        self.stamp = stamp
    }

    /// Whether the source is gone once it was read, so that what is not settled must be kept.
    public var isTransient: Bool { kind == .standardInput }
}

/// One description of the package's resource.
public struct ExtensionItem: Sendable, Equatable {
    /// The title as the sender wrote it; `nil` where there is none.
    public var title: String?
    /// A caption, or the content of an item without attachments; `nil` where there is none.
    public var text: String?
    /// The item's attachments, each a provider, in the sender's order.
    public var attachments: [ItemProvider]

    /// An item; without attachments and text it holds nothing that can be taken in.
    public init(title: String? = nil, text: String? = nil, attachments: [ItemProvider] = []) {
        self.title = title
        self.text = text
        self.attachments = attachments
    }
}

/// One thing that the sharer meant to hand over, in one or several representations.
public struct ItemProvider: Sendable, Equatable {
    /// What a provider is for, as its sender says.
    public enum Role: String, Sendable, Codable, CaseIterable {
        case content
        /// A picture of the resource, such as a page's icon; not content of its own.
        case preview
    }

    /// The name that the sender suggests; hostile, see ``SafeName``.
    public var suggestedName: String?
    /// Whether it is content of its own or a picture of it; the sender's word.
    public var role: Role
    /// Providers of one item that bear the same group name belong together.
    public var group: String?
    /// In the sender's order of preference.
    public var representations: [Representation]

    /// A provider; without representations there is nothing to be had of it.
    public init(
        suggestedName: String? = nil, role: Role = .content, group: String? = nil, representations: [Representation]
    ) {
        self.suggestedName = suggestedName
        self.role = role
        self.group = group
        self.representations = representations
    }
}

/// One form in which a provider can be had. Opened at most once.
public struct Representation: Sendable, Equatable {
    /// The sender's claim, a uniform type identifier (`public.jpeg`) or a MIME type; believed by nobody.
    public var declaredType: String?
    /// What the sender handed over.
    public var content: Content

    /// A representation's content as the sender wrote it; what it really is may differ, see ``Receipt/Form``.
    public enum Content: Sendable, Equatable {
        /// A file, by a path relative to the package's folder, an absolute path, or a `file:` URL.
        case file(FileReference)
        /// Bytes that came inside the description. Small: the description's own limit bounds them.
        case data([UInt8])
        case text(String)
        /// A URL as text, normally a web address.
        case link(String)
    }

    /// A form, with the sender's claim of its type where there is one.
    public init(declaredType: String? = nil, content: Content) {
        self.declaredType = declaredType
        self.content = content
    }
}

/// A file that somebody named, not yet opened.
public enum FileReference: Sendable, Hashable {
    /// A path named by the sender; relative ones start at the package's folder.
    case path(FilePath)
    /// A `file:` URL as it came (RFC 8089).
    case url(String)
}
