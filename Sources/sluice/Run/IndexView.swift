import ContainerTools
import ShareModel

/// Brings the search index up to date before a search, with a line of progress if it takes long.
struct IndexView {
    let console: Console

    /// A failure is a warning: what the index has already can be found.
    func update(_ index: SearchIndex) {
        var line = PercentLine("reading what is new", console: console)
        do {
            let end = try index.update { progress in
                line.show(progress.done, of: progress.total)
                return true
            }
            line.clear()
            if end.isBusy {
                console.say("another process reads what is new; what it has not read yet is not found")
            }
        } catch {
            line.clear()
            console.say("\("warning:", .warning) what is new is not found: \(String(describing: error))")
        }
    }
}
