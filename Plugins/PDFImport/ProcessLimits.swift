import SinkKit

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the process may use up on hostile PDFs; the kernel ends one that wants more.
enum ProcessLimits {
    /// For one PDF; beyond it the process ends by SIGXCPU. Ordinary PDFs take hundredths of a second.
    static let processorSeconds = 10
    /// Address space, in bytes. Opening and drawing ordinary PDFs takes tens of megabytes.
    static let memory = 1 << 30

    /// Sets the limit of memory for the whole process.
    static func capMemory() throws {
        try set(rlim_t(memory), on: __rlimit_resource_t(RLIMIT_AS.rawValue), "memory")
    }

    /// Grants ``processorSeconds`` from now on.
    static func allowMoreTime() throws {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { throw failure("processor time") }
        // Started seconds count in full, in user mode and in the kernel.
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
