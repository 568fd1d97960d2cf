internal import Dispatch

/// Runs one actor, or the tasks that prefer it, one job at a time on a thread outside of Swift's shared pool. Use it where
/// jobs block.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        // An `ExecutorJob` cannot be captured by a closure that escapes.
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }
}

/// Runs the tasks that prefer it, one job at a time on a thread outside of Swift's shared pool. Use it where jobs block,
/// and often await what is ready already.
///
/// A task continues at once behind an `await` that did not suspend it. With ``QueueExecutor``, whose jobs are isolated
/// like those of an actor, it would be queued again.
package final class QueueTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
