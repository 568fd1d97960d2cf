import Dispatch
import Files
import Synchronization

/// Reports each wait for a lock that lasts. So a run never stands still in silence because another one was stopped.
enum LockNotices {
    /// The time that a wait may last in silence. Other runs hold most locks for less than a second each time.
    private static let patience = Duration.seconds(5)

    /// Looks for waits until the timer is canceled, and reports each once.
    static func begin(console: Console = Console()) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.locks"))
        let reported = Mutex(0)
        timer.setEventHandler {
            let now = ContinuousClock.now
            for wait in LockWait.present where wait.since + patience <= now {
                let isNew = reported.withLock { last in
                    defer { last = max(last, wait.number) }
                    return wait.number > last
                }
                guard isNew else { continue }
                // A progress line may stand there; its next change draws it again.
                if console.errorTerminal.redraws { console.error.write(raw: "\r\u{1B}[2K") }
                console.say(LockWaitText(lock: wait.path.name, holders: wait.holders).line)
            }
        }
        timer.schedule(deadline: .now() + .seconds(5), repeating: .seconds(5))
        timer.activate()
        return timer
    }
}

/// A wait for a lock as one line, with the remedy.
struct LockWaitText {
    /// The name of the lock's file.
    let lock: [UInt8]
    let holders: [LockHolder]

    /// `warning: this run waits for objects.lock; process 712 holds it: sluice gc, started 3 min 5 s ago, stopped; …`
    var line: StyledLine {
        let head: StyledLine = "\("warning:", .warning) this run waits for \(SafeText.escape(bytes: lock))"
        guard let first = holders.first else {
            return head + ", which another process holds; it goes on when that process ends or lets go"
        }
        let others: StyledLine = holders.count == 1 ? "" : " and \(Units.count(holders.count - 1, "other"))"
        let verb: StyledLine = holders.count == 1 ? "holds" : "hold"
        let state: StyledLine = first.isStopped ? ", now stopped" : ""
        let remedy: StyledLine =
            first.isStopped
            ? "continue it with kill -CONT \(first.process), or end it" : "it goes on when that process ends or lets go"
        return head + "; process \(first.process)\(others) \(verb) it: \(name: first.command), started "
            + "\(Units.duration(first.age)) ago\(state); " + remedy
    }
}
