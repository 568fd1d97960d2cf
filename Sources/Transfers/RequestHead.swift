package import Accounts
package import ShareModel

/// Where a request goes, and under which login: what a short request and a transfer have in common.
package struct RequestHead: Codable, Sendable, Equatable {
    package var method: String
    /// An absolute URL, or a path that begins with a slash, below the address of the account.
    package var url: String
    package var headers: [HeaderField]
    /// The login whose credential the request gets; `nil` for none.
    package var login: AccountUser?
    /// Where the account is.
    package var places: AccountPlaces
    /// The hosts that may be called without a credential: `name`, `name:port`, or `*` for every public address.
    package var hosts: [String]

    package init(
        method: String, url: String, headers: [HeaderField], login: AccountUser?, places: AccountPlaces, hosts: [String]
    ) {
        (self.method, self.url, self.headers) = (method, url, headers)
        (self.login, self.places, self.hosts) = (login, places, hosts)
    }
}
