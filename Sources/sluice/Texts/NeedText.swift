import ShareModel

/// Open deliveries for which a person has to do something first, as one line.
struct NeedText {
    let open: OpenDeliveries
    /// See ``SummaryText/containerOption``.
    let again: StyledLine

    /// `! 3 deliveries to notes wait: the account notes needs a login: …`
    var line: StyledLine {
        let what = "\(Units.count(open.count, "delivery")) to \(open.sink) \(open.count == 1 ? "waits" : "wait")"
        return "\("!", .warning) \(what): \(WhyText.line(Self.worded(open, again), again))"
    }

    /// The reason with the program's words.
    static func worded(_ open: OpenDeliveries, _ again: StyledLine) -> String {
        let why = open.why ?? "it needs you"
        guard let account = open.account?.description else { return why }
        return RemedyText.sentence(
            why, endingIn: .logIn(account: account), .deliverAs(account: account), .addAccount(account),
            containerOption: again)
    }
}
