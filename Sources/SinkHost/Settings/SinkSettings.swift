internal import Files
package import ShareModel
package import SinkKit
package import SystemPackage

/// The user's settings for one sink, in `sinks/<id>.json` of the configuration folder.
package struct SinkSettings: Sendable, Equatable {
    /// Whether the sink takes part in routing.
    package var isEnabled = true
    /// Of several sinks that accept a type equally well, the one with the lowest order comes first.
    package var order = 0
    /// The configuration for the sink itself. Its own schema checks it.
    package var config: [String: JSONValue] = [:]
    /// By the names in the manifest.
    package var secrets: [String: SecretReference] = [:]
    /// Whether a sink that needs the network may have it.
    package var allowsNetwork = false
    /// The account under which the requests of the sink go out; `nil` for none.
    package var account: AccountName?
    /// The hosts that the requests of the sink may reach besides those of the account: `name`, `name:port`, or `*` for every public address.
    package var hosts: [String] = []
    /// Limits that replace those of the manifest.
    package var limits = SinkManifest.Limits()

    /// In bytes.
    package static let maximumBytes = 64 << 10

    /// The file of a sink's settings.
    package static func file(of id: String, in folder: FilePath) -> FilePath {
        folder.appending("sinks").appending("\(id).json")
    }

    /// Reads a file of settings. A missing file means the defaults.
    ///
    /// - Throws: ``SinkObstacle`` with the file and the faulty key.
    package init(reading file: FilePath) throws {
        let read: JSONValue?
        do {
            read = try SettingsFile.readJSON(file, limit: Self.maximumBytes)
        } catch {
            throw SinkObstacle("its settings cannot be used: \(error)")
        }
        guard let value = read else {
            self.init()
            return
        }
        if let wrong = JSONSchema.settings.violations(of: value).first {
            throw SinkObstacle("its settings in \(file) cannot be used: \(wrong)")
        }
        self.init(checked: value)
    }

    package init() {}

    /// - Parameter value: satisfies ``JSONSchema/settings``.
    private init(checked value: JSONValue) {
        if case .bool(let isEnabled) = value["enabled"] { self.isEnabled = isEnabled }
        if case .integer(let order) = value["order"]?.normal { self.order = Int(order) }
        if case .object(let config) = value["config"] { self.config = config }
        if case .bool(let allows) = value["network"] { allowsNetwork = allows }
        if case .object(let secrets) = value["secrets"] {
            self.secrets = secrets.compactMapValues(SecretReference.init)
        }
        account = value["account"]?.text.flatMap(AccountName.init)
        hosts = (value["hosts"]?.elements ?? []).compactMap(\.text)
        limits = value["limits"].map(SinkManifest.Limits.init) ?? limits
    }
}

extension SecretReference {
    /// - Parameter value: satisfies the schema of the settings.
    fileprivate init?(_ value: JSONValue) {
        if case .string(let name) = value["env"] {
            self = .environment(name)
        } else if case .string(let path) = value["file"] {
            self = .file(FilePath(path))
        } else if case .array(let words) = value["command"] {
            self = .command(words.compactMap { if case .string(let word) = $0 { word } else { nil } })
        } else if case .string(let text) = value["account"], let name = AccountName(text) {
            self = .account(name)
        } else {
            return nil
        }
    }
}
