package import ShareModel
package import SinkKit
internal import SystemPackage

extension InstalledSink {
    /// Whether the sink gets the network: its manifest requests it, and the user allows it.
    package var allowsNetwork: Bool { needsNetwork && settings.allowsNetwork }

    package var needsNetwork: Bool { manifest.needs?.network ?? false }

    /// The longest clock that a manifest can set, in seconds. A sink that hangs delays the run for that time, so only
    /// the user can set a longer one.
    package static let longestOwnClock = 3_600

    /// The limits of the manifest. Those of the user's settings replace them.
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

    /// The reason why the sink cannot be started now; `nil` if there is none. It does not read the secrets,
    /// because that may run commands.
    package var obstacle: SinkObstacle? {
        do {
            if let settingsFault { throw settingsFault }
            try checkNetwork()
            try checkRequests()
            _ = try checkedConfig()
            _ = try secretReferences()
            return nil
        } catch {
            return error as? SinkObstacle ?? SinkObstacle("\(error)")
        }
    }

    /// Warnings about settings that work but are risky: a file with a secret that other users may read.
    package var cautions: [String] {
        settings.secrets.sorted { $0.key < $1.key }.compactMap { name, reference in
            guard case .file(let path) = reference, SecretSource.isReadableByOthers(path) else { return nil }
            return "the secret '\(name)' of the sink \(id) is in \(path), which others may read; run chmod 600 on it"
        }
    }

    /// The account under which the sink sends: with requests of the host, or with its token; `nil` if it uses none.
    package var account: AccountName? {
        settings.account
            ?? settings.secrets.values.lazy.compactMap { if case .account(let name) = $0 { name } else { nil } }.first
    }

    /// The message that configures the sink: its configuration, with the defaults filled in and checked by its schema,
    /// and its secrets. Each call reads the secrets again.
    ///
    /// - Parameters:
    ///   - tokens: gives out the tokens of accounts.
    ///   - refused: see ``TokenSource/token(of:refused:)``.
    ///   - clock: the time that a command has to write a secret.
    /// - Throws: ``SinkObstacle`` if the sink must not be started. Its deliveries stay pending for this reason. ``TokenDelay`` if it can be
    ///   started later.
    package func configuration(
        tokens: some TokenSource = NoTokens(), refused: TokenRefusal? = nil, clock: Duration = SecretSource.clock
    ) async throws -> SinkConfiguration {
        if let settingsFault { throw settingsFault }
        try checkNetwork()
        try checkRequests()
        let config = try checkedConfig()
        var secrets: [String: String] = [:]
        var token: ShareToken?
        let owner = try settings.account.map { try tokens.owner(of: $0) }
        for (name, reference) in try secretReferences() {
            guard case .account(let account) = reference else {
                do {
                    secrets[name] = try await SecretSource.read(reference, clock: clock)
                } catch let error as SinkObstacle {
                    throw SinkObstacle("its secret '\(name)' cannot be read: \(error)\(file(key: "secrets"))")
                }
                continue
            }
            guard token == nil || token?.owner.account == account, owner == nil || owner?.account == account else {
                throw SinkObstacle("its settings name two accounts, and a sink has one\(file(key: "secrets"))")
            }
            if token == nil { token = try await tokens.token(of: account, refused: refused) }
            secrets[name] = token?.secret
        }
        return SinkConfiguration(
            message: HostMessage.Configuration(config: config, secrets: secrets.isEmpty ? nil : secrets), token: token,
            owner: token?.owner ?? owner)
    }

    /// Whether the host makes requests for it.
    package var makesRequests: Bool { manifest.needs?.requests != nil }

    private func checkRequests() throws {
        guard manifest.needs?.requests == .required, settings.account == nil, settings.hosts.isEmpty else { return }
        throw SinkObstacle(
            "it makes requests, and its settings name neither an account nor hosts\(file(key: "account", #""account": NAME"#))"
        )
    }

    private func checkNetwork() throws {
        guard needsNetwork, !settings.allowsNetwork else { return }
        throw SinkObstacle(
            "it needs the network, which its settings do not allow\(file(key: "network", #""network": true"#))")
    }

    private func checkedConfig() throws -> JSONValue {
        guard let schema else {
            guard settings.config.isEmpty else {
                throw SinkObstacle(
                    "its sink.json has no schema for a configuration, so it takes none\(file(key: "config"))")
            }
            return [:]
        }
        // The defaults come first, because the schema may require a key that has one.
        let config = schema.filled(.object(settings.config))
        let wrong = schema.violations(of: config, at: JSONPointer().appending("config"))
        guard wrong.isEmpty else {
            let words = wrong.map(\.description).joined(separator: "; ")
            throw SinkObstacle("its configuration is not valid: \(words)\(file(key: "config"))")
        }
        return config
    }

    /// The references of the secrets that the manifest names, in its order. An unknown or missing one is an error.
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

    /// The remedy: the key to set, and its file.
    private func file(key: String, _ example: String? = nil) -> String {
        guard let settingsFile else { return "; name a configuration folder, and set '\(key)' for \(id) there" }
        return "; set \(example ?? "'\(key)'") in \(settingsFile)"
    }
}

/// What a sink is configured with.
package struct SinkConfiguration: Sendable {
    package let message: HostMessage.Configuration
    /// The token among its secrets; `nil` if its settings name no account.
    package let token: ShareToken?
    /// The login under which it sends; `nil` without an account.
    package let owner: AccountUser?

    /// Every text that must not come back from the sink.
    var hidden: [String] { Array((message.secrets ?? [:]).values) + (token?.forms ?? []) }
}
