/// The progress of a step as one line of the terminal, redrawn in place. Without a terminal it writes nothing, and so does a
/// step that is done soon.
struct PercentLine {
    private let console: Console
    /// What the step does: `reading what is new`.
    private let doing: String
    private let start = ContinuousClock.now
    private var isShown = false

    /// A step that ends earlier shows nothing.
    private static let patience = Duration.milliseconds(300)

    init(_ doing: String, console: Console) { (self.doing, self.console) = (doing, console) }

    /// Draws the line. Steps of no length are done.
    mutating func show(_ done: Int64, of total: Int64) {
        guard console.errorTerminal.redraws, isShown || start.duration(to: .now) > Self.patience else { return }
        isShown = true
        let percent = total == 0 ? 100 : min(100, done * 100 / total)
        console.error.write(raw: "\r\u{1B}[2K\(doing): \(percent) %")
    }

    /// Removes the line.
    func clear() {
        if isShown { console.error.write(raw: "\r\u{1B}[2K") }
    }
}
