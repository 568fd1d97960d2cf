package import ShareModel

/// Gives out the share tokens of accounts.
package protocol TokenSource: Sendable {
    /// The token of an account, as it is now.
    ///
    /// - Parameter refused: the token that the account's service refused a moment ago; `nil` if it refused none.
    /// - Throws: ``SinkObstacle`` if a person has to log in, or must change something; ``TokenDelay`` if it may be had later.
    func token(of account: AccountName, refused: TokenRefusal?) async throws -> ShareToken

    /// The login under which requests with an account go out now.
    ///
    /// - Throws: ``SinkObstacle`` if a person has to log in, or must change something.
    func owner(of account: AccountName) throws -> AccountUser

    /// Whether a token may still be used: the person has neither logged out nor logged in again, and it has not ended.
    func isCurrent(_ token: ShareToken) -> Bool
}

/// The reason why a token cannot be had now, without anyone's fault: a service does not answer, or the keychain is locked.
package struct TokenDelay: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A host without accounts.
package struct NoTokens: TokenSource {
    package init() {}

    package func token(of account: AccountName, refused: TokenRefusal?) async throws -> ShareToken {
        throw SinkObstacle("this program has no accounts, so it cannot use \(account)")
    }

    package func owner(of account: AccountName) throws -> AccountUser {
        throw SinkObstacle("this program has no accounts, so it cannot use \(account)")
    }

    package func isCurrent(_ token: ShareToken) -> Bool { false }
}
