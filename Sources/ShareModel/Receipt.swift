/// The record of one package: the decisions, their reasons, and the outcome of each part.
public struct Receipt: Sendable, Codable, Equatable {
    /// The package's identifier: 32 hexadecimal digits, derived from its key. The same share has the same identifier in
    /// every container.
    public var id: String
    /// The source of the package.
    public var source: Source
    /// The outcome of the whole package.
    public var outcome: PackageOutcome
    /// The reason for an outcome other than `accepted`, with the remedy.
    public var reason: String?
    /// The number of bytes in all stored or duplicate providers.
    public var bytes: Int64
    /// The number of these bytes that were new to the container.
    public var storedBytes: Int64
    /// The earlier package with the same key.
    public var duplicateOf: String?
    /// The earlier package that this one replaces: it has the same source, or the same identifier from the sender.
    public var supersedes: String?
    /// The later package that replaced this one. Only a receipt that is read from a container has it, and the next three.
    public var supersededBy: String?
    /// The time when the package came in first: ISO 8601, UTC.
    public var received: String?
    /// The later arrivals of the same package, oldest first: at most the last ``sightingLimit`` of them.
    public var sightings: [Sighting]?
    /// The number of earlier ones that ``sightings`` leaves out; `nil` if it has all.
    public var moreSightings: Int?
    /// The sink that a person named for the content; `nil` if none was named, or it accepts nothing of the package.
    public var destination: String?
    /// The words that a person gave the package, in the order of their letters; `nil` if there are none. Only a receipt
    /// that is read from a container has them.
    public var tags: [String]?
    /// What only a bag says of the package: nothing in this container shows it. `nil` if there is nothing such.
    public var unconfirmed: [BagClaim]?
    /// The objects that a container keeps of an input that failed as a whole: its bytes, or its description. `nil` if it
    /// keeps none. The stored receipt does not have it.
    public var kept: [KeptInput]?
    /// Input that the reader ignored, and problems that the catalog found: an unstable source, or an `id` that the
    /// sender used for other content before.
    public var warnings: [String]
    /// The chosen item; `nil` if no item was usable.
    public var item: Item?
    /// The other items of the package, best first. They describe the same resource, so the pipeline does not import
    /// them.
    public var alternatives: [Item]
    /// The providers of the chosen item, in the sender's order. If no item was usable, these are the providers of the
    /// first item tried.
    public var providers: [Provider]
    /// The imported providers, grouped as they are delivered. The groups are in the order of their leads, and each
    /// provider is in exactly one group.
    public var groups: [Group]
    /// Whether the input failed and leaves no package in the container, because it does not exist, is no path
    /// at all, or has content that was removed meanwhile.
    /// Not a part of the JSON.
    public var leavesNoPackage = false
    /// Whether the container had recorded the same arrival of the package: from the same place, under the same names
    /// and from the same time. The warnings about its content are no news then. Not a part of the JSON.
    public var isKnownArrival = false

    /// The number of sightings in a receipt, except in a bag. One empty file may lie in a thousand folders.
    public static let sightingLimit = 100

    /// The ``reason`` of a duplicate whose file was not read again.
    public static let unchangedReason = "the file stands as it stood when it came in"

    /// The kind and name of an input.
    public struct Source: Sendable, Codable, Equatable {
        /// The kind of the source: a file, a share, a document folder, standard input, or another kind.
        public var kind: PackageSource.Kind
        /// The path in readable form, `-` for standard input. It is not exact if ``pathBase64`` is present.
        public var path: String
        /// The exact bytes of the path, if they are not UTF-8.
        public var pathBase64: String?
        /// The random identifier of the machine that the path is on. Only a receipt in a bag has it.
        public var machine: String?

        enum CodingKeys: String, CodingKey {
            case kind, path, machine
            case pathBase64 = "path_base64"
        }
    }

    /// A later arrival of a package whose content was known: from another place, under other names, or from another
    /// time.
    public struct Sighting: Sendable, Encodable, Equatable {
        /// The source of the arrival.
        public var source: Source
        /// The names of the providers; `nil` for a plain file, whose name is in its path.
        public var names: [String]?
        /// The time of the last change of the newest file; `nil` if no file has one.
        public var modified: Timestamp?
        /// The time of the arrival: ISO 8601, UTC.
        public var received: String

        /// An arrival with all its values.
        public init(source: Source, names: [String]? = nil, modified: Timestamp? = nil, received: String) {
            self.source = source
            self.names = names
            self.modified = modified
            self.received = received
        }
    }

    /// An object with bytes of an input that failed.
    public struct KeptInput: Sendable, Encodable, Equatable {
        /// The name of the object.
        public var sha256: Digest
        /// The number of its bytes.
        public var size: Int64
        /// The path of its file; `nil` in the receipt of a run.
        public var path: String?

        /// An object of a container.
        public init(sha256: Digest, size: Int64, path: String? = nil) {
            self.sha256 = sha256
            self.size = size
            self.path = path
        }
    }

    /// A value of a receipt that a container took over from a bag.
    public enum BagClaim: String, Sendable, Codable, CaseIterable {
        case source, received, supersedes
        case supersededBy = "superseded_by"
    }

    /// An extension item, as the resolve policy ranked it.
    public struct Item: Sendable, Encodable, Equatable {
        /// The index of the item in the package, from 0.
        public var index: Int
        /// The title, as sent; `nil` if there is none.
        public var title: String?
        /// The caption, or the content of an item without attachments, as sent; `nil` if there is none.
        public var text: String?
        /// The name of the policy rule that ranked the item.
        public var rule: String
        /// The reason why the item was chosen or rejected.
        public var why: String

        /// An item with the rule that ranked it, and the reason for the decision.
        public init(index: Int, title: String?, text: String?, rule: String, why: String) {
            self.index = index
            self.title = title
            self.text = text
            self.rule = rule
            self.why = why
        }
    }

    /// One provider: the outcome of its import, the basis of its type, and its deliveries.
    public struct Provider: Sendable, Encodable, Equatable {
        /// The index of the provider in its item, from 0.
        public var index: Int
        /// The name in its safe form; see ``SafeName``.
        public var name: String
        /// The name that the sender suggested, if it differs from ``name``.
        public var suggestedName: String?
        /// Whether the content was imported, and whether it was new.
        public var outcome: ProviderOutcome
        /// The concluded type; `nil` if there is no content.
        public var type: MediaType?
        /// The name of the object with the content; `nil` if there is no content.
        public var sha256: Digest?
        /// The size of the content, in bytes; `nil` if there is no content.
        public var size: Int64?
        /// The time of the last change of the file that the content came from; `nil` for content from elsewhere.
        public var modified: Timestamp?
        /// The evidence for the type, strongest first; empty if there is no content.
        public var basis: [String]
        /// Contradictions between a claim and the bytes, as readable text.
        public var warnings: [String]
        /// The index of the chosen representation in the provider, from 0.
        public var chosen: Int?
        /// The reason why this representation was chosen, or why none was.
        public var reason: String
        /// Every representation, in the order in which the selector considered them.
        public var tried: [Attempt]
        /// The index of the provider's group in ``Receipt/groups``.
        public var group: Int?
        /// The deliveries of the group that this provider leads; empty for other members of a group.
        public var deliveries: [DeliveryRecord]

        /// A provider without content; the caller sets the other values if there is content.
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
            case index, name, outcome, type, sha256, size, modified, basis, warnings, chosen, reason, tried, group,
                deliveries
            case suggestedName = "suggested_name"
        }
    }

    /// One representation that the selector considered.
    public struct Attempt: Sendable, Encodable, Equatable {
        /// The decision about a representation:
        /// - `chosen`: its content was imported.
        /// - `failed`: its content could not be read completely.
        /// - `contradicted`: its content clearly has another type than the sender claims.
        /// - `passed`: it was not opened, because a better one was chosen before.
        public enum Outcome: String, Sendable, Codable {
            case chosen, failed, contradicted, passed
        }

        /// The index of the representation in its provider, from 0.
        public var representation: Int
        /// The actual form of the content.
        public var form: Form
        /// The sender's claim, a uniform type identifier or a MIME type; `nil` if there is none.
        public var declared: String?
        /// The decision. A `contradicted` representation is still imported if no better one is found.
        public var outcome: Outcome
        /// The reason: what the sender gave, and what the selector found.
        public var why: String

        /// A considered representation, with the reason for the decision.
        public init(representation: Int, form: Form, declared: String?, outcome: Outcome, why: String) {
            self.representation = representation
            self.form = form
            self.declared = declared
            self.outcome = outcome
            self.why = why
        }
    }

    /// The actual form of a representation, in the order of preference.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case file, data, link, text
    }

    /// Providers that are delivered together.
    public struct Group: Sendable, Encodable, Equatable {
        /// The name of the grouping rule: `single`, `live photo`, `link with icon` …
        public var rule: String
        /// The indices of the members in the item; the first member leads the group.
        public var providers: [Int]

        /// The rule of a group whose files a walk found side by side.
        package static let folderRule = "files of one folder"

        /// A group that the rule made; the lead comes first.
        public init(rule: String, providers: [Int]) {
            self.rule = rule
            self.providers = providers
        }
    }

    /// A receipt with only a source and an outcome.
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

    /// Whether an earlier package with another key has everything that this partial one has. This one leaves no
    /// package.
    public var addsNothing: Bool { outcome == .partial && packageID != id }

    /// The identifier of the package that owns the deliveries: this package, or the one that it duplicates.
    public var packageID: String { duplicateOf ?? id }

    enum CodingKeys: String, CodingKey {
        case id, source, outcome, reason, bytes, warnings, item, alternatives, providers, groups, received, sightings
        case moreSightings = "more_sightings"
        case supersededBy = "superseded_by"
        case storedBytes = "stored_bytes"
        case duplicateOf = "duplicate_of"
        case supersedes, destination, tags, unconfirmed, kept
    }
}

/// One delivery in a receipt.
public struct DeliveryRecord: Sendable, Codable, Hashable {
    /// The delivery's identifier: 32 hexadecimal digits, derived from its package, its lead and its key.
    public var id: String
    /// The identifier of the sink, as in its `sink.json`.
    public var sink: String
    /// The outcome, or `pending`.
    public var outcome: DeliveryOutcome
    /// The reason for an outcome other than `delivered`, from the sink or the host.
    public var why: String?
    /// The number of attempts.
    public var attempts: Int
    /// The earliest time of the next attempt, in ISO 8601, UTC; `nil` if the delivery was never postponed.
    public var due: String?
    /// The isolation of the sink's process when it answered; `nil` before.
    public var containment: Containment?
    /// The sink's findings: pages, title, size …
    public var metadata: JSONValue?
    /// The files that the sink created, in the sink's order.
    public var products: [Product]
    /// Whether only a bag says how the delivery ended: no sink of this container made it. `nil` if not.
    public var isUnconfirmed: Bool?
    /// The login under which the delivery goes out; `nil` if it needs none, or if there is none yet.
    public var login: AccountUser?
    /// Whether large ``metadata`` was left out, so that many receipts fit into memory. Not a part of the JSON.
    public var isAbridged = false

    enum CodingKeys: String, CodingKey {
        case id, sink, outcome, why, attempts, due, containment, metadata, products, login
        case isUnconfirmed = "unconfirmed"
    }

    /// A file that the sink created, stored as an object.
    public struct Product: Sendable, Encodable, Hashable {
        /// The purpose that the sink states, such as `thumbnail`, as a safe name.
        public var role: String
        /// The sink's path below its `out` folder, as a safe name.
        public var name: String
        /// The concluded type; the sink's own type is only a claim.
        public var type: MediaType
        /// The name of the object with the content.
        public var sha256: Digest
        /// The size, in bytes.
        public var size: Int64

        /// A product with the given values.
        public init(role: String, name: String, type: MediaType, sha256: Digest, size: Int64) {
            self.role = role
            self.name = name
            self.type = type
            self.sha256 = sha256
            self.size = size
        }
    }

    /// A delivery with the given values. The defaults describe one that no sink has received yet.
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

/// The outcome of a package, in the words of receipts and of the catalog.
/// - `accepted`: all of it is imported.
/// - `partial`: some providers are imported; the receipt names the others.
/// - `duplicate`: it was imported before.
/// - `failed`: nothing of it could be read.
/// - `skipped`: it was excluded on purpose.
public enum PackageOutcome: String, Sendable, Codable, CaseIterable {
    case accepted, partial, duplicate, failed, skipped
}

/// The outcome of a provider's content, in the words of receipts and of the catalog.
/// - `stored`: it was new to the container.
/// - `duplicate`: the container had it already.
/// - `failed`: it could not be read.
public enum ProviderOutcome: String, Sendable, Codable, CaseIterable {
    case stored, duplicate, failed
}

/// The outcome of a delivery, in the words of receipts and of the catalog.
/// - `delivered`: the sink accepted it.
/// - `declined`: the sink does not want it.
/// - `duplicate`: the same content goes, or went, to the same sink in another delivery.
/// - `failed`: the sink failed it, or the host refused the sink's answer.
/// - `quarantined`: the sink crashed, hung or broke the protocol on it twice, used up all of its own processor time for it, or failed it too often.
/// - `pending`: it is still open, in this run or a later one.
public enum DeliveryOutcome: String, Sendable, Codable, CaseIterable {
    case delivered, declined, duplicate, failed, quarantined, pending
}
