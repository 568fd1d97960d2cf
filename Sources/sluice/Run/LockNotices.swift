import Dispatch
import Files
import GroupContainer
import Synchronization
import SystemPackage

/// Reports each wait for a lock that lasts. So a run never stands still in silence because another one was stopped.
enum LockNotices {
    /// The time that a wait may last in silence. Other runs hold most locks for less than a second each time.
    private static let patience = Duration.seconds(5)

    /// Looks for waits every second until the timer is canceled. Reports each holder of a lock once, and again if it is
    /// stopped later.
    static func begin(console: Console = Console()) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.locks"))
        let reported = Mutex(ReportedWaits())
        timer.setEventHandler {
            let now = ContinuousClock.now
            for wait in LockWait.present where wait.since + patience <= now {
                let holders = wait.holders
                guard reported.withLock({ $0.isNews(wait.path, holders.first) }) else { continue }
                console.sayOverProgress(LockWaitText(lock: wait.path.name, holders: holders).line)
            }
        }
        timer.schedule(deadline: .now() + .seconds(5), repeating: .seconds(1))
        timer.activate()
        return timer
    }
}

/// What was reported so far. A run may begin to wait for the same process several times, and says so once.
struct ReportedWaits {
    private struct Holding: Hashable {
        var lock: FilePath
        var holder: Int32?
        var start: Int64?
        var isStopped: Bool?
    }

    private var holdings: Set<Holding> = []

    /// Whether a process was not reported yet as the holder of a lock, stopped or not; `nil` for one that the system
    /// does not show.
    mutating func isNews(_ lock: FilePath, _ holder: LockHolder?) -> Bool {
        holdings.insert(
            Holding(lock: lock, holder: holder?.process, start: holder?.start, isStopped: holder?.isStopped)
        ).inserted
    }
}

/// A wait for a lock as one line, with the remedy.
struct LockWaitText {
    /// The name of the lock's file.
    let lock: [UInt8]
    let holders: [LockHolder]

    /// `warning: this run waits for objects.lock; process 712 holds it: sluice gc, started 3 min 5 s ago, stopped; …`
    var line: StyledLine {
        "\("warning:", .warning) this run waits for \(description); " + remedy
    }

    /// `sluice: ended while it waited for objects.lock; process 712 holds it: …; run the same command again`
    var endLine: StyledLine {
        "\("sluice:", .bad) ended while it waited for \(description); run the same command again for the rest"
    }

    private var description: StyledLine {
        let name = isDelivery ? "its turn to make deliveries (\(LockArea.deliver.file))" : SafeText.escape(bytes: lock)
        guard let first = holders.first else { return "\(name), which another process holds" }
        let others: StyledLine = holders.count == 1 ? "" : " and \(Units.count(holders.count - 1, "other"))"
        let verb: StyledLine = holders.count == 1 ? "holds" : "hold"
        let state: StyledLine = first.isStopped ? ", now stopped" : ""
        return "\(name); process \(first.process)\(others) \(verb) it: \(name: first.command), started "
            + "\(Units.duration(first.age)) ago\(state)"
    }

    /// Only one process at a time makes the deliveries of a container.
    private var isDelivery: Bool { lock == Array(LockArea.deliver.file.utf8) }

    private var remedy: StyledLine {
        guard let first = holders.first, first.isStopped else {
            return "it goes on when that process \(isDelivery ? "has made its own, or ends" : "ends or lets go")"
        }
        return "continue it with kill -CONT \(first.process), or end it"
    }
}
