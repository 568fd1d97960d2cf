import Accounts
import Ingestion
import ShareModel

/// A login in a browser while a share waits for it, so that the person does not leave the terminal.
enum LoginInPlace {
    /// Shows the code of each account that the open deliveries of a receipt wait for, and waits for the person.
    ///
    /// - Returns: whether one has logged in.
    static func logIn(
        for receipt: Receipt, _ options: IngestOptions, _ again: StyledLine, _ console: Console
    ) async throws -> Bool {
        let desk = AccountDesk(options)
        let sinks = receipt.providers.flatMap(\.deliveries).filter { $0.outcome == .pending }.map(\.sink)
        let accounts = Set(sinks.compactMap { desk.book.accounts[$0] }).sorted { $0.description < $1.description }
        var hasLoggedIn = false
        for account in accounts where desk.book.marker(of: account)?.login == nil {
            // The other kinds need something that the person may not have at hand; the end of the command names their login.
            do {
                guard try desk.definition(of: account).kind == .oauth else { continue }
                try await AccountLogin.logIn(account, by: desk, user: nil, json: false, again: again, on: console)
                hasLoggedIn = true
            } catch let error as AccountError {
                console.say("\("!", .warning) \(RemedyText.sentence(error, containerOption: again))")
            }
        }
        return hasLoggedIn
    }
}
