import Accounts
import CCurl
import Glibc
import ShareModel
import Transfers

/// Whom a request may reach: the network policy.
struct Destination {
    let url: String
    /// `scheme://host:port`
    let origin: String
    /// Whether the request gets the account's credential.
    let isAccounts: Bool
    /// Whether a person has named the host, so that it may have an address of a private network.
    let isNamed: Bool

    /// Whether a person has allowed `http:` for the host.
    let allowsPlainHTTP: Bool

    /// - Parameter definition: that of the head's account; `nil` without one.
    /// - Throws: ``RequestFailure`` if the request may not go there.
    init(_ url: String, _ head: RequestHead, _ definition: AccountDefinition?) throws {
        let parts = try Self.parts(of: url)
        let (host, port) = (Self.text(parts.host), Int(parts.port))
        let scheme = Self.text(parts.scheme)
        origin = "\(scheme)://\(host):\(port)"
        self.url = url
        let own = definition?.serviceURLs.compactMap { try? Self.parts(of: $0) } ?? []
        isAccounts = own.contains {
            Self.text($0.host) == host && Int($0.port) == port && Self.text($0.scheme) == scheme
        }
        let names = head.hosts.map { $0.lowercased() }
        let isNamedPlain = names.contains(origin) || port == 80 && names.contains("http://\(host)")
        isNamed =
            isAccounts || names.contains(origin) || names.contains("\(host):\(port)")
            || port == 443 && (names.contains(host) || names.contains("https://\(host)")) || isNamedPlain
        guard isNamed || names.contains("*") else {
            throw RequestFailure(
                .permanent,
                "\(host):\(port) is no host of the sink's account or settings; add it to 'hosts' in the sink's settings"
            )
        }
        allowsPlainHTTP = isAccounts ? definition?.plainHTTP == true : scheme == "http" && isNamedPlain
        guard scheme == "https" || scheme == "http" && allowsPlainHTTP else {
            let why =
                scheme == "http"
                ? "only an account with 'plain_http' may use http:, or a host that is named as 'http://\(host)\(port == 80 ? "" : ":\(port)")'"
                : "only https: is used"
            throw RequestFailure(.permanent, "\(origin) is not called: \(why)")
        }
    }

    private static func parts(of url: String) throws -> ccurl_url {
        var parts = ccurl_url()
        if let fault = RequestRules.fault(url: url) { throw RequestFailure(.permanent, fault) }
        guard ccurl_parse(url, &parts) == 0 else {
            throw RequestFailure(
                .permanent,
                parts.has_user != 0
                    ? "its URL has a user or a password, which belong into an account"
                    : "'\(url.prefix(100))' is no URL that can be called; it must be absolute")
        }
        return parts
    }

    /// A URL that a service has given, such as in the header `Location`; `nil` if it is none.
    static func resolved(_ reference: String, against base: String) -> String? {
        ccurl_resolve(base, reference).map { text in
            defer { free(text) }
            return String(cString: text)
        }
    }

    /// `scheme://host:port` of a URL; `nil` if it has none.
    static func origin(of url: String) -> String? {
        (try? parts(of: url)).map { "\(text($0.scheme))://\(text($0.host)):\($0.port)" }
    }

    /// The host that a URL names, with the port; `nil` if it names none.
    static func place(of url: String) -> String? {
        (try? parts(of: url)).map { "\(text($0.host)):\($0.port)" }
    }

    private static func text<Value>(_ characters: Value) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
