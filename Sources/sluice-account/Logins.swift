import Accounts
import Files
import Glibc
import ShareModel
import SystemPackage

/// The logins of a container's accounts: the markers inside, and the keychains outside.
struct Logins {
    let places: AccountPlaces
    private let markers: PrivateFolder

    init(_ places: AccountPlaces) {
        self.places = places
        markers = PrivateFolder(FilePath(places.markers))
    }

    /// - Throws: ``AccountError`` with the code `name` if there is no such account, or with the code `definition`.
    func definition(of account: AccountName) throws -> AccountDefinition {
        let folder = places.definitions.map { PrivateFolder(FilePath($0)) }
        guard let found = try folder.flatMap({ try AccountDefinition.read(account, in: $0) }) else {
            throw AccountError(.name, "there is no account \(account)", remedy: .addAccount("\(account)"))
        }
        return found
    }

    /// Runs `body` as the only process that uses the login of an account. Marker and login are one thing under this lock.
    func withLock<Value>(_ account: AccountName, _ body: () throws -> Value) throws -> Value {
        let lock = try KernelLock(FilePath(places.locks).appending("account-\(account).lock"), .exclusive)
        return try withExtendedLifetime(lock, body)
    }

    func key(_ account: AccountName, _ login: String) -> LoginKey {
        LoginKey(account: account.description, container: places.container, login: login)
    }

    // MARK: - Markers

    func marker(of account: AccountName) -> AccountMarker? { AccountMarker.read(account, in: markers) }

    /// Replaces the marker, and wakes whoever waits for it.
    func write(_ marker: AccountMarker, of account: AccountName) throws {
        try marker.write(account, in: markers)
        wake()
    }

    func removeMarker(of account: AccountName) throws {
        try AccountMarker.remove(account, in: markers)
        wake()
    }

    /// Writes nothing into the file that the container's agent watches, which wakes it.
    private func wake() {
        guard let file = try? FileDescriptor.open(FilePath(places.wake), .readWrite, options: [.noFollow]) else {
            return
        }
        try? file.closeAfter {
            // The first byte stays as it is.
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) { try file.read(fromAbsoluteOffset: 0, into: $0) }
            guard count == 1 else { return }
            _ = try withUnsafeBytes(of: byte) { try file.writeAll(toAbsoluteOffset: 0, $0) }
        }
    }

    // MARK: - Keychains

    /// The variable that chooses the keychain of new logins: `file` or `secret-service`.
    private static let variable = "SLUICE_KEYCHAIN"

    func keychain(_ kind: KeychainKind) throws -> any Keychain {
        switch kind {
        case .secretService: SecretService()
        case .file: try FileKeychain(places.keychain)
        }
    }

    /// The keychain for a new login: that of the desktop, if a session bus offers one.
    ///
    /// - Throws: ``KeychainError`` if it is offered and cannot be used. A file would then be a surprise.
    func preferred() throws -> any Keychain {
        let named = getenv(Self.variable).map { String(cString: $0) } ?? ""
        guard named.isEmpty || KeychainKind(rawValue: named) != nil else {
            throw KeychainError.failed("\(Self.variable) is '\(named)', and must be file or secret-service")
        }
        let isDesktop = try named == "secret-service" || named != "file" && SecretService.isOffered()
        return try keychain(isDesktop ? .secretService : .file)
    }

    /// Every keychain that can be listed now.
    private var keychains: [any Keychain] {
        [KeychainKind.file, .secretService].compactMap { try? keychain($0) }
    }

    /// The logins of an account of this container.
    func stored(_ account: AccountName) -> [(LoginKey, any Keychain)] {
        keychains.flatMap { keychain in
            ((try? keychain.logins()) ?? []).filter { $0.isOf(account, in: places.container) }.map { ($0, keychain) }
        }
    }

    /// Removes the logins of an account of this container, but for one.
    func removeStored(_ account: AccountName, but kept: String? = nil) {
        // One that cannot be removed has no marker, so it is never used; a list shows it.
        for (key, keychain) in stored(account) where key.login != kept { try? keychain.remove(key) }
    }

    /// The logins of all containers.
    func all() -> [StoredLogin] {
        keychains.flatMap { keychain in
            ((try? keychain.logins()) ?? []).map { key in
                StoredLogin(
                    account: key.account, container: key.container, login: key.login, keychain: keychain.kind,
                    isGone: !hasMarker(key))
            }
        }.sorted { ($0.container, $0.account, $0.login) < ($1.container, $1.account, $1.login) }
    }

    /// Whether the container of a login still has the marker for it.
    private func hasMarker(_ key: LoginKey) -> Bool {
        guard let name = FilePath(places.markers).lastComponent, let account = AccountName(key.account) else {
            return false
        }
        let folder = PrivateFolder(FilePath(key.container).appending(name))
        return AccountMarker.read(account, in: folder)?.login == key.login
    }

    func remove(_ login: StoredLogin) throws {
        let key = LoginKey(account: login.account, container: login.container, login: login.login)
        try keychain(login.keychain).remove(key)
    }
}
