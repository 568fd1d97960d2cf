package import Files
package import ShareModel

/// The user marker of an account: whose container this is. It lies inside the container, and goes with it.
///
/// A login in the keychain counts only together with the marker that names it. So a keychain that has outlived its container sends
/// nothing under an earlier person's name. Each login and each logout replaces the marker as a whole.
package struct AccountMarker: Sendable, Hashable, Codable {
    /// The person, as the service names them. It stays after a logout.
    package var user: String
    /// The login in the keychain that belongs to the marker; `nil` after a logout.
    package var login: String?
    /// Where the login lies.
    package var keychain: KeychainKind?
    /// Why there is no login; `nil` after a logout by the person.
    package var why: String?

    package init(user: String, login: String? = nil, keychain: KeychainKind? = nil, why: String? = nil) {
        self.user = user
        self.login = login
        self.keychain = keychain
        self.why = why
    }

    /// Why a container without a marker needs a login.
    package static let whyNone = "no one has logged in to this container"

    /// Why the account needs a login; `nil` if the person is logged in.
    package var whyLogin: String? { login == nil ? why ?? "\(user) has logged out" : nil }

    /// In bytes.
    private static let limit = 16 << 10

    /// The marker of an account; `nil` if the container has none, or one that cannot be read. Both mean that no login is trusted.
    package static func read(_ account: AccountName, in folder: PrivateFolder) -> AccountMarker? {
        try? find(account, in: folder)
    }

    /// The marker of an account; `nil` if the container has none.
    ///
    /// - Throws: if there is one that cannot be read.
    package static func find(_ account: AccountName, in folder: PrivateFolder) throws -> AccountMarker? {
        try folder.read(file(account), limit: limit).map { try JSONLines.decode(AccountMarker.self, from: $0) }
    }

    /// Replaces the marker of an account, and makes that durable.
    package func write(_ account: AccountName, in folder: PrivateFolder) throws {
        try folder.replace(Self.file(account), with: JSONLines.encode(self) + [UInt8(ascii: "\n")])
    }

    /// Removes the marker of an account.
    package static func remove(_ account: AccountName, in folder: PrivateFolder) throws {
        try folder.remove(file(account))
    }

    private static func file(_ account: AccountName) -> String { "\(account).json" }
}

/// The keychains that a login can lie in.
package enum KeychainKind: String, Sendable, Hashable, Codable {
    /// The Secret Service of the desktop (org.freedesktop.secrets).
    case secretService = "secret-service"
    /// Files that only this user can read.
    case file
}
