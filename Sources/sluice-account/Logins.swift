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
        let path = FilePath(places.locks).appending("account-\(account).lock")
        let end = ContinuousClock.now + Self.patience
        while true {
            if let lock = try KernelLock(trying: path, .exclusive) { return try withExtendedLifetime(lock, body) }
            // A process that was stopped never lets go, and this one must end and say so.
            guard ContinuousClock.now < end else {
                throw KeychainError.failed(
                    "another process has used the login of \(account) for too long; look for a stopped one")
            }
            usleep(Self.pause)
        }
    }

    /// How long a process waits for another one that uses the login. That one may wait for several answers of the service.
    private static let patience = Duration.seconds(150)
    /// The time between two looks, in microseconds.
    private static let pause: UInt32 = 20_000

    func key(_ account: AccountName, _ login: String) -> LoginKey {
        LoginKey(account: account.description, container: places.container, login: login)
    }

    // MARK: - Markers

    func marker(of account: AccountName) -> AccountMarker? { AccountMarker.read(account, in: markers) }

    /// Replaces the marker, and wakes the agent of the container.
    func write(_ marker: AccountMarker, of account: AccountName) throws {
        try marker.write(account, in: markers)
        places.wakeAgent()
    }

    func removeMarker(of account: AccountName) throws {
        try AccountMarker.remove(account, in: markers)
        places.wakeAgent()
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

    /// The entries of all keychains, and why one that is there cannot be listed. An absent one has none.
    private func entries() -> (found: [(LoginKey, any Keychain)], problem: KeychainError?) {
        var found: [(LoginKey, any Keychain)] = []
        var problem: KeychainError?
        for kind in [KeychainKind.file, .secretService] {
            do {
                let keychain = try keychain(kind)
                found += try keychain.logins().map { ($0, keychain) }
            } catch KeychainError.absent {
            } catch {
                problem = error as? KeychainError ?? .failed("\(error)")
            }
        }
        return (found, problem)
    }

    /// Whether a keychain has a login of an account of this container.
    func hasOther(_ account: AccountName) -> Bool {
        entries().found.contains { $0.0.isOf(account, in: places.container) }
    }

    /// Removes the login of a marker, even if its entry cannot be read.
    ///
    /// - Returns: why it is left; `nil` if it is not.
    func remove(_ marker: AccountMarker, of account: AccountName) -> KeychainError? {
        guard let login = marker.login, let kind = marker.keychain else { return nil }
        do {
            try keychain(kind).remove(key(account, login))
            return nil
        } catch {
            return error as? KeychainError ?? .failed("\(error)")
        }
    }

    /// Removes the logins of an account of this container, but for one.
    ///
    /// - Returns: why one is left; `nil` if none is.
    func removeStored(_ account: AccountName, but kept: String? = nil) -> KeychainError? {
        var (found, problem) = entries()
        found = found.filter { $0.0.isOf(account, in: places.container) && $0.0.login != kept }
        for (key, keychain) in found {
            do { try keychain.remove(key) } catch { problem = error as? KeychainError ?? .failed("\(error)") }
        }
        return problem
    }

    /// The logins of all containers, and why some are missing.
    func all() -> ([StoredLogin], problem: KeychainError?) {
        let (found, problem) = entries()
        let logins = found.map { key, keychain in
            StoredLogin(
                account: key.account, container: key.container, login: key.login, keychain: keychain.kind,
                isGone: isGone(key))
        }
        return (logins.sorted { ($0.container, $0.account, $0.login) < ($1.container, $1.account, $1.login) }, problem)
    }

    /// Whether the container of a login has no marker for it any more. A marker that cannot be read says nothing.
    private func isGone(_ key: LoginKey) -> Bool {
        guard let name = FilePath(places.markers).lastComponent, let account = AccountName(key.account) else {
            return true
        }
        let folder = PrivateFolder(FilePath(key.container).appending(name))
        do { return try AccountMarker.find(account, in: folder)?.login != key.login } catch { return false }
    }

    /// Removes the logins whose containers are gone.
    ///
    /// - Returns: those that were removed, and why one is left.
    func removeGone() -> ([StoredLogin], problem: KeychainError?) {
        var (logins, problem) = all()
        logins = logins.filter { login in
            let key = LoginKey(account: login.account, container: login.container, login: login.login)
            guard login.isGone else { return false }
            do {
                // Another process may be logging in, and writes the marker last.
                return try withLockOfContainer(key) {
                    guard isGone(key) else { return false }
                    try keychain(login.keychain).remove(key)
                    return true
                }
            } catch {
                problem = error as? KeychainError ?? .failed("\(error)")
                return false
            }
        }
        return (logins, problem)
    }

    private func withLockOfContainer<Value>(_ key: LoginKey, _ body: () throws -> Value) throws -> Value {
        var own = places
        let run = FilePath(key.container).appending([FilePath(places.locks).lastComponent ?? "run"])
        own.locks = run.string
        // A container that is not there has no other process.
        guard let account = AccountName(key.account), (try? PrivateFolder(run).names().isEmpty) == false else {
            return try body()
        }
        return try Logins(own).withLock(account, body)
    }
}
