import Glibc
import SinkKit

/// Limits for hostile PDFs. The kernel ends the process if it exceeds one.
enum ProcessLimits {
    /// The processor time for one PDF. Beyond it, the kernel sends SIGXCPU. Ordinary PDFs take hundredths of a second.
    static let processorSeconds = 10
    /// The address space, in bytes. Opening and drawing ordinary PDFs takes tens of megabytes.
    static let memory = 1 << 30

    /// Sets the memory limit of the process.
    static func capMemory() throws {
        try set(rlim_t(memory), on: __rlimit_resource_t(RLIMIT_AS.rawValue), "memory")
    }

    /// Sets the processor time limit to ``processorSeconds`` from now on.
    static func allowMoreTime() throws {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { throw failure("processor time") }
        // User and system time are rounded down to whole seconds here, so add one second for each.
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 2
        try set(rlim_t(used + processorSeconds), on: __rlimit_resource_t(RLIMIT_CPU.rawValue), "processor time")
    }

    private static func set(_ soft: rlim_t, on resource: __rlimit_resource_t, _ name: String) throws {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw failure(name) }
        limit.rlim_cur = min(soft, limit.rlim_max)
        guard setrlimit(resource, &limit) == 0 else { throw failure(name) }
    }

    private static func failure(_ name: String) -> SinkFailure {
        SinkFailure(.transient, "the limit of \(name) cannot be set: \(String(cString: strerror(errno)))")
    }
}
