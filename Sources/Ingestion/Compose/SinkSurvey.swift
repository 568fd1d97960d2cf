public import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// The sinks at hand, for people and for their scripts: what was found, and where a type would go.
public struct SinkSurvey: Sendable {
    private let registry: SinkRegistry
    private let router: Router

    /// Looks for the sinks; starts none.
    public init(options: IngestOptions) {
        self.init(
            registry: SinkRegistry(
                folders: options.sinkFolders, program: ProgramPath.current, configuration: options.configurationFolder))
    }

    init(registry: SinkRegistry) {
        self.registry = registry
        router = Router(registry: registry)
    }

    /// What was found, in the order of the search.
    public var entries: [SinkEntry] { registry.found.map(SinkEntry.init) }

    /// Sinks that are broken, or cannot be used as they are set: what is wrong, and the remedy.
    public var warnings: [String] { registry.warnings }

    /// Who would get content of a type, and why.
    public func route(_ type: MediaType) -> SinkRoute {
        let candidates = router.candidates(for: type)
        let chosen = Set(router.sinks(for: type).map(\.id))
        return SinkRoute(type: type, candidates: candidates.map { .init($0, isChosen: chosen.contains($0.sink.id)) })
    }
}

/// A `sink.json` that was found.
public struct SinkEntry: Sendable, Encodable {
    /// What came of it.
    public enum Standing: String, Sendable, Encodable {
        /// It takes part; `obstacle` says why it could not be started, where it could not.
        case used
        /// The person has turned it off.
        case disabled
        /// Another with its identifier was found before it.
        case shadowed
        /// It is left out.
        case broken
    }

    /// What a sink may call.
    public enum Network: String, Sendable, Encodable {
        /// It has none, and wants none.
        case none
        /// It needs it, and nobody has allowed it: it is not started.
        case wanted
        /// It needs it and has it.
        case allowed
    }

    /// Where its `sink.json` lies.
    public var manifest: String
    /// What came of it.
    public var standing: Standing
    /// Why it is left out or cannot be started, with the remedy.
    public var obstacle: String?
    /// The `sink.json` that hides it.
    public var shadowedBy: String?
    /// What it says of itself; absent where it is broken, as all that follows.
    public var id: String?
    /// Its own version.
    public var version: String?
    /// `primary` or `also`.
    public var role: String?
    /// The types that it takes.
    public var accepts: [String]?
    /// The program that is run.
    public var program: String?
    /// What it may call.
    public var network: Network?
    /// The names of its secrets.
    public var secrets: [String]?
    /// Its place among equals.
    public var order: Int?
    /// Where its settings are, or would be.
    public var settings: String?

    enum CodingKeys: String, CodingKey {
        case manifest, standing, obstacle, id, version, role, accepts, program, network, secrets, order, settings
        case shadowedBy = "shadowed_by"
    }

    init(_ found: FoundSink) {
        manifest = found.manifest.string
        switch found.standing {
        case .used(let sink): (standing, obstacle) = (.used, sink.obstacle?.description)
        case .disabled: standing = .disabled
        case .shadowed(_, let first): (standing, shadowedBy) = (.shadowed, first.string)
        case .broken(let why): (standing, obstacle) = (.broken, why.description)
        }
        guard let sink = found.sink else { return }
        id = sink.id
        version = sink.manifest.version
        role = sink.manifest.role.rawValue
        accepts = sink.manifest.accepts.map(\.type)
        program = sink.program.string
        network = sink.needsNetwork ? (sink.allowsNetwork ? .allowed : .wanted) : Network.none
        secrets = sink.manifest.secrets ?? []
        order = sink.settings.order
        settings = sink.settingsFile?.string
    }
}

/// Who would get content of a type: the primary sinks, the best first, then every *also* sink.
public struct SinkRoute: Sendable, Encodable {
    /// The type that is asked for.
    public var type: MediaType
    /// Every sink that accepts it.
    public var candidates: [Candidate]

    /// A sink that accepts the type.
    public struct Candidate: Sendable, Encodable {
        /// The sink's identifier.
        public var sink: String
        /// `primary` or `also`.
        public var role: String
        /// The acceptance that fits best, as its `sink.json` has it.
        public var accepts: String
        /// How specific that is: `exact`, `conforming`, `family` or `anything`.
        public var fit: String
        /// What `sink.json` gives the acceptance among equally specific ones.
        public var priority: Int
        /// What the person gives the sink among equals; the lower comes first.
        public var order: Int
        /// Whether it gets the content.
        public var chosen: Bool
        /// Why it could not be started just now; its deliveries would stay pending.
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
