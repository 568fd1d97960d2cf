internal import Glibc
internal import SinkKit

/// Limits for hostile content. The kernel ends the process if it exceeds one.
public struct ProcessLimits: Sendable {
    /// The processor time for one delivery, in seconds. Beyond it, the kernel sends SIGXCPU.
    public let processorSeconds: Int
    /// The address space of the process, in bytes.
    public let memory: Int

    /// The given limits; nothing is set yet.
    public init(processorSeconds: Int, memory: Int) {
        self.processorSeconds = processorSeconds
        self.memory = memory
    }

    /// Sets the memory limit of the process.
    public func capMemory() throws {
        try set(rlim_t(memory), on: __rlimit_resource_t(RLIMIT_AS.rawValue), "memory")
    }

    /// Sets the processor time limit to ``processorSeconds`` from now on. A sink calls it for each delivery.
    public func allowMoreTime() throws {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { throw failure("processor time") }
        // User and system time are rounded down to whole seconds here, so add one second for each.
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 2
        try set(rlim_t(used + processorSeconds), on: __rlimit_resource_t(RLIMIT_CPU.rawValue), "processor time")
    }

    private func set(_ soft: rlim_t, on resource: __rlimit_resource_t, _ name: String) throws {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw failure(name) }
        limit.rlim_cur = min(soft, limit.rlim_max)
        guard setrlimit(resource, &limit) == 0 else { throw failure(name) }
    }

    private func failure(_ name: String) -> SinkFailure {
        SinkFailure(.transient, "the limit of \(name) cannot be set: \(reason(errno))")
    }
}
