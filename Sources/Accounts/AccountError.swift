package import ShareModel

/// An error of an account.
package struct AccountError: ExplainedError {
    /// The kinds of failure.
    package enum Code: Sendable, Hashable {
        /// There is no such account, or there is one already.
        case name
        /// The definition cannot be used.
        case definition
        /// The login failed, or the person gave it up.
        case login
        /// The keychain cannot be used.
        case keychain
        /// The program that keeps logins does not work.
        case program
    }

    package var code: Code
    package var message: String
    package var remedy: Remedy?

    package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        (self.code, self.message, self.remedy) = (code, message, remedy)
    }
}
