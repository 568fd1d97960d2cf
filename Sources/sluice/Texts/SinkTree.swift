import Ingestion

/// An installed sink as a tree.
struct SinkTree {
    let entry: SinkEntry
    /// The most types that are named, because some sinks accept dozens; `nil` for all.
    let typeLimit: Int?
    /// The option of the command that names all types.
    let allOption: String

    var lines: [StyledLine] { Tree(head, details).lines }

    private var head: StyledLine {
        let name: StyledLine =
            entry.id.map { "\($0, .strong) \(entry.version ?? "")" } ?? "\(name: entry.manifest, .strong)"
        let state: StyledLine =
            switch entry.standing {
            case .used: entry.obstacle == nil ? "" : " \("cannot be started", .warning)"
            case .disabled: entry.obstacle == nil ? " \("turned off", .dim)" : " \("not set up", .dim)"
            case .shadowed: " \("hidden", .dim)"
            case .broken: " \("broken", .bad)"
            }
        return name + state
    }

    private var details: [Tree] {
        var lines: [StyledLine] = []
        if let why = entry.obstacle { lines.append("\(why)") }
        for caution in entry.cautions ?? [] { lines.append("\("warning:", .warning) \(caution)") }
        if let first = entry.shadowedBy { lines.append("by \(first), which was found first") }
        if let role = entry.role, let accepts = entry.accepts {
            let named = accepts.prefix(typeLimit ?? .max)
            let rest = accepts.count - named.count
            let more: StyledLine = rest > 0 ? " and \(Units.count(rest, "other")); \(allOption) names all" : ""
            lines.append("\(role): \(named.joined(separator: ", "))\(more)\(order)")
        }
        if let network = entry.network, network != .none { lines.append("network: \(network.rawValue)") }
        if let secrets = entry.secrets, !secrets.isEmpty { lines.append("secrets: \(secrets.joined(separator: ", "))") }
        if let account = entry.account { lines.append("account: \(account)") }
        if entry.id != nil { lines.append("\(entry.manifest, .dim)") }
        if entry.standing == .disabled, entry.obstacle == nil, let settings = entry.settings {
            lines.append("set in \(settings)")
        }
        return lines.map { Tree($0) }
    }

    private var order: StyledLine {
        guard let order = entry.order, order != 0 else { return "" }
        return ", order \(order)"
    }
}
