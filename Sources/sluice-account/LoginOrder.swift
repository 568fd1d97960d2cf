import Accounts
import ShareModel

/// Logs a person in: the login goes into the keychain, and the marker into the container.
struct LoginOrder {
    private let logins: Logins
    private let account: AccountName
    private let given: GivenLogin?
    private let definition: AccountDefinition

    init(_ logins: Logins, _ account: AccountName, given: GivenLogin?) throws {
        self.logins = logins
        self.account = account
        self.given = given
        definition = try logins.definition(of: account)
    }

    /// - Parameter show: gets the code for a login in a browser.
    func run(_ show: (DeviceCode) throws -> Void) throws -> AccountAnswer {
        // Before the person does anything.
        let keychain = try logins.preferred()
        var credential: Credential
        do {
            credential = try self.credential(show)
        } catch let refusal as LoginRefusal {
            return .refused(why: refusal.why)
        }
        let user: String
        switch WhoAmI.ask(credential, definition) {
        case .user(let name)?:
            if let wanted = given?.user, !definition.kind.hasUser, wanted != name {
                return .refused(
                    why: "the service says that this login is \(name)'s, and not \(wanted)'s; nothing was changed")
            }
            user = name
        case .refused?: return .refused(why: "the service refuses this login")
        case .unavailable(let why)?: return .refused(why: why)
        case nil:
            guard let name = given?.user.flatMap(UserName.checked) else {
                return .refused(why: "the service does not say who logs in; name the person at the service")
            }
            user = name
        }
        credential.origins = definition.origins
        let text = String(decoding: try JSONLines.encode(credential), as: UTF8.self)
        return try logins.withLock(account) {
            let (login, old) = (UniqueName.make(), logins.marker(of: account))
            try keychain.store(text, for: logins.key(account, login), label: "Sluice: \(account) (\(user))")
            // From here on the earlier login does not count.
            try logins.write(AccountMarker(user: user, login: login, keychain: keychain.kind), of: account)
            // One that cannot be removed has no marker, so it is never used; a list shows it.
            _ = logins.removeStored(account, but: login)
            return .loggedIn(
                user: user, before: old.flatMap { $0.user == user ? nil : $0.user }, keychain: keychain.kind)
        }
    }

    private func credential(_ show: (DeviceCode) throws -> Void) throws -> Credential {
        let now = Clock.systemNanoseconds() / 1_000_000
        switch definition.kind {
        case .token:
            return Credential(token: try typed("token"), began: now)
        case .password, .s3:
            let password = try typed(definition.kind == .s3 ? "secret key" : "password")
            guard let user = given?.user.flatMap(UserName.checked), !user.contains(":") else {
                throw LoginRefusal("the name of the person is missing, or has a colon")
            }
            return Credential(token: "\(user):\(password)", began: now)
        case .oauth:
            let oauth = try OAuth(definition)
            let login = try oauth.logIn(show)
            guard !oauth.sharesWholeScope else { return login }
            // The first token has the rights of the login. Sinks get another one with fewer.
            guard login.refreshToken != nil, case .refreshed(let narrow) = oauth.refresh(login) else {
                throw LoginRefusal("the service gives no token with the rights of 'share_scope'")
            }
            return narrow
        }
    }

    /// The fewest characters of a token. A shorter one could not be found in the texts of sinks.
    private static let shortest = 8

    private func typed(_ kind: String) throws -> String {
        let secret = given?.secret ?? ""
        guard secret.unicodeScalars.count >= Self.shortest,
            secret.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            throw LoginRefusal(
                "the \(kind) has fewer than \(Self.shortest) characters, or a control character; paste the whole \(kind)"
            )
        }
        return secret
    }
}
