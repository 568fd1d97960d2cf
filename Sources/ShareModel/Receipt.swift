/// The whole story of one package: what was decided, why, and where each piece went.
public struct Receipt: Sendable, Codable, Equatable {
    /// The package's identifier, 32 hexadecimal digits, made of its key: the same share has the same one everywhere.
    public var id: String
    /// Where the package came from.
    public var source: Source
    /// How the package ended as a whole.
    public var outcome: PackageOutcome
    /// Why the outcome is not *accepted*, and what to do.
    public var reason: String?
    /// The bytes of all stored or duplicate providers.
    public var bytes: Int64
    /// The bytes among them that were new to the container.
    public var storedBytes: Int64
    /// The earlier package with the same key.
    public var duplicateOf: String?
    /// The earlier package of the same source or sender's identifier that this one replaces.
    public var supersedes: String?
    /// What the reader ignored, and what the catalog noticed: an unstable source, an `id` used for other content.
    public var warnings: [String]
    /// The item that was chosen; `nil` where none could be used.
    public var item: Item?
    /// Other items of the package, best first: descriptions of the same resource, not imported besides.
    public var alternatives: [Item]
    /// The chosen item's providers, in the sender's order; where no item could be used, those of the first one tried.
    public var providers: [Provider]
    /// The providers that are in, by what is delivered as one, in the order of their leads; each is in exactly one.
    public var groups: [Group]

    /// What came in, by name.
    public struct Source: Sendable, Codable, Equatable {
        /// What the source is: a file, a share, a document folder, standard input or none of them.
        public var kind: PackageSource.Kind
        /// The path as people may read it, `-` for standard input; not exact where ``pathBase64`` stands besides.
        public var path: String
        /// The path's bytes, where they are not UTF-8.
        public var pathBase64: String?

        enum CodingKeys: String, CodingKey {
            case kind, path
            case pathBase64 = "path_base64"
        }
    }

    /// An extension item, as the resolve policy saw it.
    public struct Item: Sendable, Codable, Equatable {
        /// The item's place in the package, from 0.
        public var index: Int
        /// The title as the sender gave it; `nil` where there is none.
        public var title: String?
        /// The caption, or the content of an item without attachments, as it was sent; `nil` where there is none.
        public var text: String?
        /// The name of the policy row that ranked it.
        public var rule: String
        /// Why it was chosen, or not.
        public var why: String

        /// An item with the rule that ranked it and the reason for what became of it.
        public init(index: Int, title: String?, text: String?, rule: String, why: String) {
            self.index = index
            self.title = title
            self.text = text
            self.rule = rule
            self.why = why
        }
    }

    /// One provider: what was had of it, how its type is known, and where it went.
    public struct Provider: Sendable, Codable, Equatable {
        /// The provider's place in its item, from 0.
        public var index: Int
        /// The name made safe, as people and file systems may see it.
        public var name: String
        /// The name as it was suggested, where that differs.
        public var suggestedName: String?
        /// Whether its content is in, and whether it was new.
        public var outcome: ProviderOutcome
        /// The concluded type; `nil` where nothing could be had.
        public var type: MediaType?
        /// The name of the object that holds its content; `nil` where nothing could be had.
        public var sha256: Digest?
        /// The content's size in bytes; `nil` where nothing could be had.
        public var size: Int64?
        /// Why the type is what it is, strongest first; empty where nothing could be had.
        public var basis: [String]
        /// Where a claim and the bytes disagree, in words for people.
        public var warnings: [String]
        /// The representation that was chosen, by its place in the provider, from 0.
        public var chosen: Int?
        /// Why that one, or why none.
        public var reason: String
        /// Every representation, in the order in which they were considered.
        public var tried: [Attempt]
        /// The place of the provider's group in ``Receipt/groups``.
        public var group: Int?
        /// The deliveries of the group that this provider leads; empty for the other members of a group.
        public var deliveries: [DeliveryRecord]

        /// A provider for which nothing could be had; the rest is filled in where something was.
        public init(index: Int, name: String, outcome: ProviderOutcome = .failed, reason: String, tried: [Attempt]) {
            self.index = index
            self.name = name
            self.outcome = outcome
            self.reason = reason
            self.tried = tried
            basis = []
            warnings = []
            deliveries = []
        }

        enum CodingKeys: String, CodingKey {
            case index, name, outcome, type, sha256, size, basis, warnings, chosen, reason, tried, group, deliveries
            case suggestedName = "suggested_name"
        }
    }

    /// One representation, and what became of it.
    public struct Attempt: Sendable, Codable, Equatable {
        /// What became of a representation: `chosen` is stored; `failed` could not be had whole; `contradicted` is
        /// plainly another thing than its claims; `passed` was not opened, since a better one was chosen before.
        public enum Outcome: String, Sendable, Codable {
            case chosen, failed, contradicted, passed
        }

        /// The representation's place in its provider, from 0.
        public var representation: Int
        /// What it really is.
        public var form: Form
        /// The sender's claim, a uniform type identifier or a MIME type; `nil` where it made none.
        public var declared: String?
        /// What became of it; a `contradicted` one is stored all the same where nothing better came.
        public var outcome: Outcome
        /// What the sender gave and what was found there.
        public var why: String

        /// A representation that was considered, and the reason for its outcome.
        public init(representation: Int, form: Form, declared: String?, outcome: Outcome, why: String) {
            self.representation = representation
            self.form = form
            self.declared = declared
            self.outcome = outcome
            self.why = why
        }
    }

    /// What a representation really is, in the order of preference.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case file, data, link, text
    }

    /// Providers that are delivered as one.
    public struct Group: Sendable, Codable, Equatable {
        /// The name of the grouping rule: `single`, `live photo`, `link with icon` …
        public var rule: String
        /// The members by their place in the item; the first leads.
        public var providers: [Int]

        /// A group under the rule that made it; the lead comes first.
        public init(rule: String, providers: [Int]) {
            self.rule = rule
            self.providers = providers
        }
    }

    /// A receipt with nothing in it yet but what came in, and how it ended.
    public init(id: String, source: Source, outcome: PackageOutcome) {
        self.id = id
        self.source = source
        self.outcome = outcome
        bytes = 0
        storedBytes = 0
        warnings = []
        alternatives = []
        providers = []
        groups = []
    }

    /// Puts a delivery under the provider that leads its group, which `lead` names by its place in the item.
    public mutating func attach(_ record: DeliveryRecord, lead: Int) {
        guard let place = providers.firstIndex(where: { $0.index == lead }) else { return }
        providers[place].deliveries.append(record)
    }

    /// Whether one of its deliveries is still to be made.
    public var hasOpenDeliveries: Bool { providers.contains { $0.deliveries.contains { $0.outcome == .pending } } }

    /// The identifier of the package that its deliveries belong to: its own, or that of the one that it repeats.
    public var packageID: String { duplicateOf ?? id }

    enum CodingKeys: String, CodingKey {
        case id, source, outcome, reason, bytes, warnings, item, alternatives, providers, groups
        case storedBytes = "stored_bytes"
        case duplicateOf = "duplicate_of"
        case supersedes
    }
}

/// One delivery, as a receipt tells it.
public struct DeliveryRecord: Sendable, Codable, Equatable {
    /// The delivery's identifier, 32 hexadecimal digits, made of its package, its lead and its key.
    public var id: String
    /// The identifier of the sink that it goes to, as in the sink's `sink.json`.
    public var sink: String
    /// How it ended, or that it is still open.
    public var outcome: DeliveryOutcome
    /// Why it did not end as *delivered*, in the sink's or the host's words.
    public var why: String?
    /// How often it was handed to the sink.
    public var attempts: Int
    /// From when on it may be tried again, ISO 8601 in UTC; absent where it was never put off.
    public var due: String?
    /// What stood between the sink and everything else when it answered; absent before.
    public var containment: Containment?
    /// What the sink found out: pages, title, size …
    public var metadata: JSONValue?
    /// What the sink made of it, in the sink's order; empty where it made nothing.
    public var products: [Product]

    /// Something that the sink made, stored as an object.
    public struct Product: Sendable, Codable, Equatable {
        /// What the sink says that it is for, `thumbnail` for instance, made safe as a name.
        public var role: String
        /// The sink's path for it below its `out` folder, made safe as a name.
        public var name: String
        /// The concluded type; the sink's own word for it is only a claim.
        public var type: MediaType
        /// The name of the object that holds it.
        public var sha256: Digest
        /// In bytes.
        public var size: Int64

        /// A product whose content is an object.
        public init(role: String, name: String, type: MediaType, sha256: Digest, size: Int64) {
            self.role = role
            self.name = name
            self.type = type
            self.sha256 = sha256
            self.size = size
        }
    }

    /// A delivery as it stands; without the optional parts, one that no sink was handed yet.
    public init(
        id: String, sink: String, outcome: DeliveryOutcome, why: String? = nil, attempts: Int = 0,
        due: String? = nil, containment: Containment? = nil, metadata: JSONValue? = nil, products: [Product] = []
    ) {
        self.id = id
        self.sink = sink
        self.outcome = outcome
        self.why = why
        self.attempts = attempts
        self.due = due
        self.containment = containment
        self.metadata = metadata
        self.products = products
    }
}

/// How a package ended, in the words of receipts and of the catalog.
///
/// `accepted`: all of it is in; `partial`: some providers are in, the others are named; `duplicate`: it came in before;
/// `failed`: nothing of it could be had; `skipped`: it was left out on purpose.
public enum PackageOutcome: String, Sendable, Codable, CaseIterable {
    case accepted, partial, duplicate, failed, skipped
}

/// What became of a provider's content, in the words of receipts and of the catalog.
///
/// `stored`: it was new to the container; `duplicate`: the container had it already; `failed`: it could not be had.
public enum ProviderOutcome: String, Sendable, Codable, CaseIterable {
    case stored, duplicate, failed
}

/// How a delivery ended, in the words of receipts and of the catalog.
///
/// `delivered`: the sink took it; `declined`: the sink does not want it; `duplicate`: the same content went, or goes,
/// there already; `failed`: the sink gave it up, or what the sink made was refused; `quarantined`: the sink crashed,
/// hung or broke the protocol on it twice; `pending`: it is still to be made, in this run or a later one.
public enum DeliveryOutcome: String, Sendable, Codable, CaseIterable {
    case delivered, declined, duplicate, failed, quarantined, pending
}
