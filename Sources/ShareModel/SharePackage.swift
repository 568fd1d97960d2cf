public import SystemPackage

/// One share as it arrived: one or more extension items that describe the *same* resource.
public struct SharePackage: Sendable, Equatable {
    /// The sender's identifier of this share. A later package with the same identifier repeats or replaces this one.
    public var id: String?
    /// The source of the package.
    public var source: PackageSource
    /// The items, in the sender's order, which breaks ties of the resolve policy.
    public var items: [ExtensionItem]
    /// Input that the reader ignored, mostly unknown keys.
    public var warnings: [String]

    /// A package as its reader found it; none of its files is open yet.
    public init(id: String? = nil, source: PackageSource, items: [ExtensionItem], warnings: [String] = []) {
        self.id = id
        self.source = source
        self.items = items
        self.warnings = warnings
    }
}

/// The source of a package, and the folder that its relative paths start from.
public struct PackageSource: Sendable, Hashable {
    /// The kind of a source. The raw values are the words in receipts and in the catalog.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A plain file: a package of one provider.
        case file
        /// A folder `NAME.share` with a `share.json`.
        case share
        /// A folder that is one document, such as `Letter.pages`.
        case bundle
        /// A file that contains others, such as an archive; its parts are the providers.
        case container
        /// Files of one folder that belong together, such as a photo and its sidecar. Its path is that of the first one.
        case group
        /// A web address that a person named. Its path stands for the address, without `https://`; see
        /// `FilePath.init(webAddress:)`.
        case link
        /// Standard input, which cannot be read a second time: a description, a file or a form.
        case standardInput = "stdin"
        /// A package that a program handed in as a value, such as an upload; it cannot be read a second time.
        case submitted
        /// An entry in a folder that is not a package: a link, a device, a hidden file.
        case other

        /// Whether a source of this kind cannot be read again.
        public var isTransient: Bool { self == .standardInput || self == .submitted }

        /// Whether a source of this kind has no title and no text of its own. Only a person can give its package words.
        public var isWordless: Bool {
            switch self {
            case .file, .bundle, .group, .link: true
            case .share, .container, .standardInput, .submitted, .other: false
            }
        }
    }

    /// The kind that the reader recognized.
    public var kind: Kind
    /// The path that the user named, or that the walk found; `-` for standard input. For a submitted package, a name
    /// that the program chose.
    public var path: FilePath
    /// The folder with the package's own files; `nil` if there is none (standard input).
    public var folder: FilePath?
    /// The folder that the user named: the package's own folder or one above it. The sender controls the path from here
    /// down to ``folder``, so no link on it is followed.
    public var root: FilePath?
    /// For a plain file, or the files of a group: their stamp when they were found. That of a folder that is one document,
    /// or of a share in a run that leaves out what changed a moment ago, has the time of the newest change below it.
    public var stamp: SourceStamp?
    /// The manifest of the bag that contains the source, for checking its files; `nil` outside of bags.
    public var bag: BagManifest?
    /// Whether a walk over a folder found the source. Then a forgotten package is skipped. A path that a person names, a
    /// package that a program sends, and a bag bring it back.
    public var isFound = false

    /// A source; this initializer does not access the disk.
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

    /// Whether the source cannot be read again, so that unsettled content must be kept.
    public var isTransient: Bool { kind.isTransient }
}

/// One description of the package's resource.
public struct ExtensionItem: Sendable, Equatable {
    /// The title, as sent; `nil` if there is none.
    public var title: String?
    /// A caption, or the content of an item without attachments; `nil` if there is none.
    public var text: String?
    /// The attachments of the item, each a provider, in the sender's order.
    public var attachments: [ItemProvider]

    /// An item. Without attachments and text, it has nothing to import.
    public init(title: String? = nil, text: String? = nil, attachments: [ItemProvider] = []) {
        self.title = title
        self.text = text
        self.attachments = attachments
    }
}

/// One thing that the sender shares, in one or several representations.
public struct ItemProvider: Sendable, Equatable {
    /// The purpose of a provider, as the sender states it.
    public enum Role: String, Sendable, Codable, CaseIterable {
        case content
        /// A picture of the resource, such as a page's icon; it is not content itself.
        case preview
        /// A file that describes the content, such as the edits of a photo.
        case sidecar
    }

    /// The name that the sender suggests. It may be malicious; see ``SafeName``.
    public var suggestedName: String?
    /// Whether it is content, or says something about it, as the sender states.
    public var role: Role
    /// The sender's group name. Providers of one item with the same group name belong together.
    public var group: String?
    /// The representations, in the sender's order of preference.
    public var representations: [Representation]

    /// A provider. Without representations, it has no content.
    public init(
        suggestedName: String? = nil, role: Role = .content, group: String? = nil, representations: [Representation]
    ) {
        self.suggestedName = suggestedName
        self.role = role
        self.group = group
        self.representations = representations
    }
}

/// One form of a provider's content. The pipeline opens it at most once.
public struct Representation: Sendable, Equatable {
    /// The sender's claim, a uniform type identifier (`public.jpeg`) or a MIME type. It does not decide the type.
    public var declaredType: String?
    /// The content, as sent.
    public var content: Content

    /// The content, as sent. Its actual form may differ; see ``Receipt/Form``.
    public enum Content: Sendable, Equatable {
        /// A file, named by a path relative to the package's folder, an absolute path, or a `file:` URL.
        case file(FileReference)
        /// A part of the container that the package came from. It can be read once, as a stream.
        case part(PartReference)
        /// Bytes inside the description, whose own size limit bounds them.
        case data([UInt8])
        case text(String)
        /// A URL as text, normally a web address.
        case link(String)
    }

    /// A representation, with the sender's claim of its type if there is one.
    public init(declaredType: String? = nil, content: Content) {
        self.declaredType = declaredType
        self.content = content
    }
}

/// A reference to a file that is not open yet.
public enum FileReference: Sendable, Hashable {
    /// A path from the sender; a relative path starts at the package's folder.
    case path(FilePath)
    /// A `file:` URL, as sent (RFC 8089).
    case url(String)
}

/// A reference to a part of a container, such as an entry of an archive, that is not open yet.
public struct PartReference: Sendable, Hashable {
    /// The number of the part, from 0. Parts of containers inside of the container count in the place of the inner one.
    public var index: Int
    /// The path of the part in its container, as the container states it. It may be malicious. The path of a part of an
    /// inner container starts with the path of that container.
    public var path: FilePath
    /// The size that the container declares, in bytes; `nil` if it declares none.
    public var size: Int64?

    /// A reference by number and path.
    public init(index: Int, path: FilePath, size: Int64? = nil) {
        self.index = index
        self.path = path
        self.size = size
    }
}
