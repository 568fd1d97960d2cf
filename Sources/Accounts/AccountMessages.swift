package import ShareModel

/// A request to the program that keeps logins: one line of JSON on its standard input.
package struct AccountRequest: Sendable, Codable {
    package var places: AccountPlaces
    package var order: Order

    package init(_ order: Order, in places: AccountPlaces) { (self.order, self.places) = (order, places) }

    package enum Order: Sendable, Codable {
        /// The share token of an account, refreshed if it has ended or was refused.
        case token(of: AccountName, refused: TokenRefusal?)
        /// A login. Without `given`, the person logs in at the service.
        case login(AccountName, given: GivenLogin?)
        /// Forgets the login. The marker keeps the person.
        case logout(AccountName)
        /// Forgets the login, the marker and the definition.
        case remove(AccountName)
        /// Lists the logins of all containers.
        case list
        /// Removes the logins whose containers are gone.
        case removeGone
        /// Shows a notification of the desktop, and waits for its button.
        case notify(title: String, text: String, button: String)
    }

    /// In bytes. A pipe holds as much before the program reads.
    package static let limit = 60 << 10
}

extension AccountRequest.Order {
    /// Whether it may change who is logged in.
    package var changesLogin: Bool {
        switch self {
        case .login, .logout, .remove: true
        case .token, .list, .removeGone, .notify: false
        }
    }

    /// Whether the answer comes when a person has done something.
    package var waitsForPerson: Bool {
        switch self {
        case .login, .notify: true
        case .token, .logout, .remove, .list, .removeGone: false
        }
    }
}

/// What a person has typed for a login.
package struct GivenLogin: Sendable, Codable {
    /// The token or the password.
    package var secret: String
    /// The person's name at the service; `nil` if the service itself says it.
    package var user: String?

    package init(secret: String, user: String?) { (self.secret, self.user) = (secret, user) }
}

/// A line of the answer. All but ``code(_:)`` are the last one.
package enum AccountAnswer: Sendable, Codable {
    /// The person has to enter a code in a browser.
    case code(DeviceCode)
    case token(ShareToken)
    /// A person has to log in, and why.
    case loginNeeded(why: String)
    /// It cannot be done now, and why; later it may.
    case unavailable(why: String)
    /// It cannot be done, and why.
    case refused(why: String)
    /// The login is stored; `before` is the person who was logged in before, if it was another one.
    case loggedIn(user: String, before: String?, keychain: KeychainKind)
    /// The login is forgotten; `nil` if no one was logged in.
    case loggedOut(user: String?)
    /// The logins, and why some may be missing.
    case logins([StoredLogin], problem: String?)
    case done

    /// In bytes.
    package static let limit = 1 << 20
}

/// What a person needs for a login in a browser (RFC 8628, section 3.2).
package struct DeviceCode: Sendable, Codable {
    package var url: String
    package var code: String
    /// The address that contains the code already; `nil` if the service has none.
    package var completeURL: String?
    /// The time until the code ends, in seconds.
    package var seconds: Int

    package init(url: String, code: String, completeURL: String?, seconds: Int) {
        (self.url, self.code, self.completeURL, self.seconds) = (url, code, completeURL, seconds)
    }
}

/// An entry of a keychain, without its secret.
package struct StoredLogin: Sendable, Hashable, Codable {
    package var account: String
    /// The folder of the container that the login belongs to.
    package var container: String
    package var login: String
    package var keychain: KeychainKind
    /// Whether no container has a marker with this login any more.
    package var isGone: Bool

    package init(account: String, container: String, login: String, keychain: KeychainKind, isGone: Bool = false) {
        self.account = account
        self.container = container
        self.login = login
        self.keychain = keychain
        self.isGone = isGone
    }

    enum CodingKeys: String, CodingKey {
        case account, container, login, keychain
        case isGone = "gone"
    }
}
