import GroupContainer
import ShareModel

/// Brings the search index up to date before a search, with a line of progress if it takes long.
struct IndexView {
    let console: Console

    /// A failure is a warning: what the index has already can be found.
    func update(_ index: SearchIndex) {
        let isTerminal = console.errorTerminal.redraws
        let start = ContinuousClock.now
        var isShown = false
        do {
            let end = try index.update { progress in
                guard isTerminal, isShown || start.duration(to: .now) > .milliseconds(300) else { return true }
                isShown = true
                let percent = progress.total == 0 ? 100 : min(100, progress.done * 100 / progress.total)
                console.error.write(raw: "\r\u{1B}[2Kreading what is new: \(percent) %")
                return true
            }
            if isShown { console.error.write(raw: "\r\u{1B}[2K") }
            if end.isBusy {
                console.say("another process reads what is new; what it has not read yet is not found")
            }
        } catch {
            if isShown { console.error.write(raw: "\r\u{1B}[2K") }
            console.say("\("warning:", .warning) what is new is not found: \(String(describing: error))")
        }
    }
}
