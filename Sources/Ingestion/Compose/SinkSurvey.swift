public import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// Describes the installed sinks and their routes, for people and scripts.
public struct SinkSurvey: Sendable {
    private let registry: SinkRegistry
    private let router: Router

    /// Looks for the sinks, and starts none.
    public init(options: IngestOptions) {
        self.init(registry: Pipeline.registry(options))
    }

    init(registry: SinkRegistry) {
        self.registry = registry
        router = Router(registry: registry)
    }

    /// An entry for each `sink.json`, in the order of the search.
    public var entries: [SinkEntry] { registry.found.map(SinkEntry.init) }

    /// The faults of installed sinks: a broken manifest, or settings that keep a sink from starting. Each message names
    /// the remedy.
    public var warnings: [String] { registry.warnings }

    /// The sinks that accept a type, and those of them that get its content.
    public func route(_ type: MediaType) -> SinkRoute {
        let candidates = router.candidates(for: type)
        let chosen = Set(router.sinks(for: type).map(\.id))
        return SinkRoute(type: type, candidates: candidates.map { .init($0, isChosen: chosen.contains($0.sink.id)) })
    }
}

/// A `sink.json` that was found.
public struct SinkEntry: Sendable, Encodable {
    /// Whether runs use the sink.
    public enum Standing: String, Sendable, Encodable {
        /// Runs use it. If it cannot be started now, `obstacle` says why.
        case used
        /// A person turned it off, or has not written the settings that it needs; then `obstacle` says so.
        case disabled
        /// A sink with the same identifier was found before it.
        case shadowed
        /// Its `sink.json` has a fault, so runs leave it out.
        case broken
    }

    /// A sink's access to the network.
    public enum Network: String, Sendable, Encodable {
        /// It does not need the network, and has no access.
        case none
        /// It needs the network, but a person has not allowed it. So it is not started.
        case wanted
        /// It needs the network and has access.
        case allowed
    }

    /// The path of its `sink.json`.
    public var manifest: String
    /// Whether runs use it.
    public var standing: Standing
    /// The reason why it is left out or cannot be started, with the remedy.
    public var obstacle: String?
    /// The path of the `sink.json` that was found before it.
    public var shadowedBy: String?
    /// Its identifier. This and all later properties are absent if its `sink.json` has a fault.
    public var id: String?
    /// Its version, as its `sink.json` states it.
    public var version: String?
    /// Its role: `primary` or `also`.
    public var role: String?
    /// The types that it accepts.
    public var accepts: [String]?
    /// The path of its program.
    public var program: String?
    /// Its access to the network.
    public var network: Network?
    /// The names of its secrets.
    public var secrets: [String]?
    /// The account under which it sends; absent if it uses none.
    public var account: String?
    /// Its place, set by a person, among sinks that fit a type equally well; the lowest comes first.
    public var order: Int?
    /// The path of its settings, which need not exist.
    public var settings: String?
    /// Warnings about settings that work but are risky, such as a secret in a file that others may read.
    public var cautions: [String]?

    enum CodingKeys: String, CodingKey {
        case manifest, standing, obstacle, id, version, role, accepts, program, network, secrets, account, order
        case settings, cautions
        case shadowedBy = "shadowed_by"
    }

    init(_ found: FoundSink) {
        manifest = found.manifest.string
        switch found.standing {
        case .used(let sink): (standing, obstacle) = (.used, sink.obstacle?.description)
        case .disabled(let sink):
            standing = .disabled
            if sink.lacksSettings, let file = sink.settingsFile {
                obstacle = "it gets no delivery before you write its settings in \(file)"
            }
        case .shadowed(_, let first): (standing, shadowedBy) = (.shadowed, first.string)
        case .broken(let why): (standing, obstacle) = (.broken, why.description)
        }
        guard let sink = found.sink else { return }
        id = sink.id
        version = sink.manifest.version
        role = sink.manifest.role.rawValue
        accepts = sink.manifest.accepts.map(\.type)
        program = sink.program.string
        // `.none` alone would be that of the optional.
        network = sink.needsNetwork ? (sink.allowsNetwork ? .allowed : .wanted) : Network.none
        secrets = sink.manifest.secrets ?? []
        account = sink.account?.description
        order = sink.settings.order
        settings = sink.settingsFile?.string
        cautions = sink.cautions.isEmpty ? nil : sink.cautions
    }
}

/// The route of a type: the primary sinks that accept it, the best first, then every *also* sink.
public struct SinkRoute: Sendable, Encodable {
    /// The type of the content.
    public var type: MediaType
    /// The sinks that accept it.
    public var candidates: [Candidate]

    /// A sink that accepts the type.
    public struct Candidate: Sendable, Encodable {
        /// The sink's identifier.
        public var sink: String
        /// Its role: `primary` or `also`.
        public var role: String
        /// The acceptance in its `sink.json` that fits best.
        public var accepts: String
        /// How specific the acceptance is: `exact`, `conforming`, `family` or `anything`.
        public var fit: String
        /// The priority that `sink.json` gives the acceptance among equally specific ones; the highest comes first.
        public var priority: Int
        /// The sink's place, set by a person, among sinks of the same fit and priority; the lowest comes first.
        public var order: Int
        /// Whether it gets the content.
        public var chosen: Bool
        /// The reason why it cannot be started now. Its deliveries would stay pending.
        public var obstacle: String?

        init(_ candidate: SinkCandidate, isChosen: Bool) {
            sink = candidate.sink.id
            role = candidate.sink.manifest.role.rawValue
            accepts = candidate.acceptance.type
            fit = "\(candidate.fit)"
            priority = candidate.priority
            order = candidate.sink.settings.order
            chosen = isChosen
            obstacle = candidate.sink.obstacle?.description
        }
    }
}
