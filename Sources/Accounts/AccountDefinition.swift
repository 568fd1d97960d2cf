package import Files
internal import FoundationEssentials
package import ShareModel
internal import SystemPackage

/// What a person has set for an account: `accounts/<name>.json` in the configuration folder. It has no secret.
package struct AccountDefinition: Sendable, Hashable, Codable {
    /// How a person logs in.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// With a token that the service shows, which the person pastes.
        case token
        /// With a name and a password, which should be one for this program alone.
        case password
        /// In a browser on any device (RFC 8628), with a refresh token (RFC 6749, section 6).
        case oauth
        /// With the identifier of an access key and its secret, which sign each request as those of S3 (AWS Signature Version 4).
        case s3
    }

    /// A request that answers whose token this is.
    package struct WhoAmI: Sendable, Hashable, Codable {
        package var url: String
        /// The place of the person's name in the JSON of the answer: keys and indexes with slashes between them.
        package var field: String

        package init(url: String, field: String) { (self.url, self.field) = (url, field) }
    }

    package var kind: Kind
    /// The address of the service, below which sinks without a network make their requests; `nil` if there are none.
    package var url: String?
    /// `nil` if the service has no such request. Then a login names the person.
    package var who: WhoAmI?
    /// The device authorization endpoint; for ``Kind/oauth``.
    package var deviceURL: String?
    /// The token endpoint; for ``Kind/oauth``.
    package var tokenURL: String?
    /// The name of this program at the service; for ``Kind/oauth``.
    package var clientID: String?
    /// A file with the program's secret, if the service has given it one.
    package var clientSecretFile: String?
    /// The rights of the login, separated by spaces.
    package var scope: String?
    /// The rights of the share token, if they are fewer.
    package var shareScope: String?
    /// Whether the service's addresses may begin with `http:`.
    package var plainHTTP: Bool?
    /// A file with the certificates of the authorities that count for the service.
    package var caFile: String?

    /// The region of the service; for ``Kind/s3``. ``defaultRegion`` if `nil`.
    package var region: String?

    /// The address of a proxy through which the service is called; `nil` for none.
    package var proxy: String?
    /// The most transfers at a time; 4 if `nil`.
    package var maxTransfers: Int?
    /// The largest body of a request, in MiB; `nil` for no limit of the account.
    package var maxMiB: Int?

    package static let defaultRegion = "us-east-1"

    package init(kind: Kind) { self.kind = kind }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, url, who, scope, region, proxy
        case deviceURL = "device_url"
        case tokenURL = "token_url"
        case clientID = "client_id"
        case clientSecretFile = "client_secret_file"
        case shareScope = "share_scope"
        case plainHTTP = "plain_http"
        case caFile = "ca_file"
        case maxTransfers = "max_transfers"
        case maxMiB = "max_mib"
    }
}

extension AccountDefinition.Kind {
    /// Whether its secret is `user:secret`, so that a login names the person.
    package var hasUser: Bool { self == .password || self == .s3 }

    /// The value of the header `Authorization` with a token; that of a password is `user:password`.
    package func authorization(_ token: String) -> String {
        self == .password ? "Basic \(Data(token.utf8).base64EncodedString())" : "Bearer \(token)"
    }
}

extension AccountDefinition {
    /// In bytes.
    private static let limit = 64 << 10
    private static let ending = ".json"

    /// The fault of the definition; `nil` if it can be used.
    package var fault: String? {
        let urls = [
            ("url", url), ("who.url", who?.url), ("device_url", deviceURL), ("token_url", tokenURL),
        ]
        for case (let key, let url?) in urls where !isAllowed(url) {
            guard !url.hasPrefix("http://") else {
                return "'\(key)' begins with http://, which only an account with 'plain_http' may use"
            }
            return
                "'\(key)' must begin with https://\(plainHTTP == true ? " or http://" : ""), and have no user, no blank and at most \(Self.urlLimit) bytes"
        }
        if let url, url.contains(where: { "?#".contains($0) }) { return "'url' must have neither '?' nor '#'" }
        if let who, !who.field.utf8.allSatisfy({ $0 > 0x20 }) || who.field.isEmpty { return "'who.field' names no key" }
        if let region, region.isEmpty || !region.utf8.allSatisfy({ Self.regionCharacters.contains($0) }) {
            return "'region' may have small letters, digits and hyphens"
        }
        if let proxy,
            !Self.isAllowed(proxy, ["http://", "https://"])
                || proxy.wholeMatch(of: /https?:..[^\/?#]+:[0-9]{1,5}/) == nil
        {
            return "'proxy' must be http:// or https:// with a host and a port, and nothing behind"
        }
        if let maxTransfers, !Self.transfers.contains(maxTransfers) {
            return "'max_transfers' must be \(Self.transfers.lowerBound) to \(Self.transfers.upperBound)"
        }
        if let maxMiB, !(1...Self.mostMiB).contains(maxMiB) { return "'max_mib' must be 1 to \(Self.mostMiB)" }
        if kind == .s3, who != nil { return "an account of the kind s3 has no 'who'" }
        guard kind == .oauth else { return nil }
        for (key, value) in [("device_url", deviceURL), ("token_url", tokenURL), ("client_id", clientID)]
        where value?.isEmpty ?? true {
            return "an account of the kind oauth needs '\(key)'"
        }
        return nil
    }

    /// The servers that get the login or a token of it, in order.
    package var origins: [String] {
        let urls = [url, who?.url, deviceURL, tokenURL].compactMap(\.self)
        // Scheme, nothing, host.
        return Set(
            urls.map {
                $0.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(
                    separator: "/")
            }
        )
        .sorted()
    }

    /// The addresses whose servers get the share token with the requests of sinks.
    package var serviceURLs: [String] { [url, who?.url].compactMap(\.self) }

    private static let regionCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)

    /// In bytes.
    private static let urlLimit = 2_000
    /// What ``maxTransfers`` may be.
    package static let transfers = 1...24
    private static let mostMiB = 5 << 20

    private func isAllowed(_ url: String) -> Bool {
        Self.isAllowed(url, ["https://"] + (plainHTTP == true ? ["http://"] : []))
    }

    private static func isAllowed(_ url: String, _ schemes: [String]) -> Bool {
        guard let scheme = schemes.first(where: url.hasPrefix), url.utf8.count <= urlLimit else { return false }
        let rest = url.dropFirst(scheme.count)
        let host = rest.prefix { !"/?#".contains($0) }
        return !host.isEmpty && !host.contains("@") && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The definition of an account; `nil` if there is none.
    ///
    /// - Throws: ``AccountError`` with the file and what is wrong with it.
    package static func read(_ account: AccountName, in folder: PrivateFolder) throws -> AccountDefinition? {
        let name = file(account)
        let path = folder.path.appending(name)
        let bytes: [UInt8]
        do {
            guard let read = try folder.read(name, limit: limit) else { return nil }
            bytes = read
        } catch {
            throw AccountError(.definition, "the account \(account) cannot be read: \(error)")
        }
        func unusable(_ why: some Any) -> AccountError { AccountError(.definition, "\(path) cannot be used: \(why)") }
        let members: [String: JSONValue]
        do {
            guard case .object(let read) = try JSONValue(json: bytes) else { throw unusable("it must be an object") }
            members = read
        } catch let fault as JSONFault {
            throw unusable("it is not JSON, \(fault)")
        }
        let known = CodingKeys.allCases.map(\.stringValue)
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw unusable("it has no key '\(unknown)'")
        }
        let read: AccountDefinition
        do { read = try JSONLines.decode(AccountDefinition.self, from: bytes) } catch let error as DecodingError {
            throw unusable(Self.words(error))
        }
        if let fault = read.fault { throw unusable(fault) }
        return read
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "it lacks '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has a wrong value"
        @unknown default: "it has a wrong value"
        }
    }

    /// Writes the definition of an account.
    package func write(_ account: AccountName, in folder: PrivateFolder) throws {
        try folder.replace(Self.file(account), with: JSONLines.encode(self) + [UInt8(ascii: "\n")])
    }

    /// Removes the definition of an account.
    package static func remove(_ account: AccountName, in folder: PrivateFolder) throws {
        try folder.remove(file(account))
    }

    /// The name of the file of an account.
    package static func file(_ account: AccountName) -> String { "\(account)\(ending)" }

    /// The accounts with a definition, by name.
    package static func names(in folder: PrivateFolder) throws -> [AccountName] {
        try folder.names().compactMap { $0.hasSuffix(ending) ? AccountName(String($0.dropLast(ending.count))) : nil }
    }
}
