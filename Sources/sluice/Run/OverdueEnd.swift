import Dispatch
import Files
import Glibc

/// Ends the program if it still waits for another process's lock long after it was told to stop.
///
/// Most waits end with the cancellation: see ``LockWait/canceledLimit``. A worker that records the answers of a sink, or
/// one of the threads of a repair, does not see it. To end the program at such a moment is as safe as a crash.
enum OverdueEnd {
    /// The time that a wait may still last after the stop.
    private static let patience = Duration.seconds(10)

    /// Begins with the stop, and looks for waits every second until the timer is canceled.
    static func begin(console: Console = Console()) -> any DispatchSourceTimer {
        let stop = ContinuousClock.now
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.overdue"))
        timer.setEventHandler {
            guard let wait = LockWait.present.first(where: { max($0.since, stop) + patience <= .now }) else { return }
            console.sayOverProgress(LockWaitText(lock: wait.path.name, holders: wait.holders).endLine)
            _exit(ExitStatus.interrupted.rawValue)
        }
        timer.schedule(deadline: .now() + .seconds(10), repeating: .seconds(1))
        timer.activate()
        return timer
    }
}
