package import SinkKit

/// What a sink's processes may use: what its manifest or the person asks for, up to a most, and else the defaults.
package struct SinkBounds: Sendable, Equatable {
    /// Address space of each process, in MiB.
    package var memoryMiB: Int
    /// Processor time of each process, in seconds. When it is up, SIGXCPU; SIGKILL five seconds later.
    package var processorSeconds: Int
    /// The largest file that a process can write, in MiB. Writing past it is SIGXFSZ.
    package var fileMiB: Int
    /// Processes and threads at a time. Held in the sandbox alone: elsewhere the system counts all that the user runs.
    package var processes: Int

    /// What a sink gets that asks for nothing: 2 GiB, 10 minutes, files of 1 GiB, 64 processes.
    package static let standard = SinkBounds(memoryMiB: 2 << 10, processorSeconds: 600, fileMiB: 1 << 10, processes: 64)
    /// The most that can be asked for: 64 GiB, a day, files of 64 GiB, 4096 processes.
    package static let most = SinkBounds(
        memoryMiB: 64 << 10, processorSeconds: 86_400, fileMiB: 64 << 10, processes: 4096)
    /// Open files of each process; fixed.
    package static let openFiles = 1024

    /// The bounds that a manifest's limits come to. What is out of range is brought into it.
    package static func make(_ limits: SinkManifest.Limits?) -> SinkBounds {
        let asked: (Int?, KeyPath<SinkBounds, Int>) -> Int = { wish, bound in
            min(max(wish ?? standard[keyPath: bound], 1), most[keyPath: bound])
        }
        return SinkBounds(
            memoryMiB: asked(limits?.memoryMiB, \.memoryMiB),
            processorSeconds: asked(limits?.processorSeconds, \.processorSeconds),
            fileMiB: asked(limits?.fileMiB, \.fileMiB), processes: asked(limits?.processes, \.processes))
    }

    /// The bounds as `sluice-launch confine` takes them.
    package func options(countsProcesses: Bool) -> [String] {
        [
            "--memory", "\(memoryMiB << 20)", "--processor", "\(processorSeconds)", "--file", "\(fileMiB << 20)",
            "--files", "\(Self.openFiles)",
        ] + (countsProcesses ? ["--processes", "\(processes)"] : [])
    }
}
