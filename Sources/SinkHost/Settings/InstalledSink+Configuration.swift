internal import ShareModel
package import SinkKit
internal import SystemPackage

extension InstalledSink {
    /// Whether the sink may call other machines: it says that it needs to, and the person allows it.
    package var allowsNetwork: Bool { needsNetwork && settings.allowsNetwork }

    package var needsNetwork: Bool { manifest.needs?.network ?? false }

    /// The longest clock that a manifest gets, in seconds; a person may set longer ones. A sink that hangs holds up the run for
    /// as long.
    package static let longestOwnClock = 3_600

    /// The manifest's limits, with the person's in their place where there are any.
    package var limits: SinkManifest.Limits {
        let set = settings.limits
        var own = manifest.limits ?? .init()
        own.startupSeconds = own.startupSeconds.map { min($0, Self.longestOwnClock) }
        own.stallSeconds = own.stallSeconds.map { min($0, Self.longestOwnClock) }
        own.totalSeconds = own.totalSeconds.map { min($0, Self.longestOwnClock) }
        return SinkManifest.Limits(
            startupSeconds: set.startupSeconds ?? own.startupSeconds,
            stallSeconds: set.stallSeconds ?? own.stallSeconds,
            totalSeconds: set.totalSeconds ?? own.totalSeconds, memoryMiB: set.memoryMiB ?? own.memoryMiB,
            processorSeconds: set.processorSeconds ?? own.processorSeconds, fileMiB: set.fileMiB ?? own.fileMiB,
            processes: set.processes ?? own.processes)
    }

    /// Why the sink cannot be started as things are, as far as that can be told without its secrets; `nil` where it can.
    package var obstacle: SinkObstacle? {
        do {
            if let settingsFault { throw settingsFault }
            try checkNetwork()
            _ = try checkedConfig()
            _ = try secretReferences()
            return nil
        } catch {
            return error as? SinkObstacle ?? SinkObstacle("\(error)")
        }
    }

    /// What people should know of its settings though it works: a file with a secret that others may read.
    package var cautions: [String] {
        settings.secrets.sorted { $0.key < $1.key }.compactMap { name, reference in
            guard case .file(let path) = reference, SecretSource.isReadableByOthers(path) else { return nil }
            return "the secret '\(name)' of the sink \(id) is in \(path), which others may read; chmod 600 it"
        }
    }

    /// What the sink is to be told when it is started: its configuration, checked by its own schema and with the defaults
    /// filled in, and its secrets, fetched just now.
    ///
    /// - Throws: ``SinkObstacle`` where it must not be started: the deliveries stay pending, with this as the reason.
    ///
    /// - Parameter clock: how long a command may take that gives a secret.
    package func configuration(clock: Duration = SecretSource.clock) async throws -> HostMessage.Configuration {
        if let settingsFault { throw settingsFault }
        try checkNetwork()
        let config = try checkedConfig()
        var secrets: [String: String] = [:]
        for (name, reference) in try secretReferences() {
            do {
                secrets[name] = try await SecretSource.read(reference, clock: clock)
            } catch let error as SinkObstacle {
                throw SinkObstacle("its secret '\(name)' cannot be had: \(error)\(file(key: "secrets"))")
            }
        }
        return HostMessage.Configuration(config: config, secrets: secrets.isEmpty ? nil : secrets)
    }

    private func checkNetwork() throws {
        guard needsNetwork, !settings.allowsNetwork else { return }
        throw SinkObstacle(
            "it needs the network, and nobody has allowed it\(file(key: "network", #""network": true"#))")
    }

    private func checkedConfig() throws -> JSONValue {
        guard let schema else {
            guard settings.config.isEmpty else {
                throw SinkObstacle(
                    "its sink.json has no schema for a configuration, so that it takes none\(file(key: "config"))")
            }
            return [:]
        }
        let config = schema.filled(.object(settings.config))
        let wrong = schema.violations(of: config, at: JSONPointer().appending("config"))
        guard wrong.isEmpty else {
            let words = wrong.map(\.description).joined(separator: "; ")
            throw SinkObstacle("its configuration is not what it takes: \(words)\(file(key: "config"))")
        }
        return config
    }

    /// Every secret that the manifest names, and no other, in the manifest's order.
    private func secretReferences() throws -> [(String, SecretReference)] {
        let names = manifest.secrets ?? []
        if let unknown = settings.secrets.keys.sorted().first(where: { !names.contains($0) }) {
            let hint = NearestName.of(unknown, among: names).map { "; did you mean '\($0)'?" } ?? ""
            throw SinkObstacle("it takes no secret '\(unknown)'\(hint)\(file(key: "secrets"))")
        }
        return try names.map { name in
            guard let reference = settings.secrets[name] else {
                throw SinkObstacle(
                    "it lacks its secret '\(name)'\(file(key: "secrets", "\"secrets\": {\"\(name)\": {\"file\": \"/path\"}}"))"
                )
            }
            return (name, reference)
        }
    }

    /// The remedy: which key of which file to set.
    private func file(key: String, _ example: String? = nil) -> String {
        guard let settingsFile else { return "; name a configuration folder, and set '\(key)' for \(id) there" }
        return "; set \(example ?? "'\(key)'") in \(settingsFile)"
    }
}
