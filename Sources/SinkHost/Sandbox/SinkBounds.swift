package import SinkKit

/// The limits of a sink's processes: those of its manifest or of the user's settings, up to a maximum; otherwise the
/// defaults.
package struct SinkBounds: Sendable, Equatable {
    /// The address space of each process, in MiB.
    package var memoryMiB: Int
    /// The processor time of each process, in seconds. The process then gets SIGXCPU, and SIGKILL five seconds later.
    package var processorSeconds: Int
    /// The largest file that a process can write, in MiB. A longer write gets SIGXFSZ.
    package var fileMiB: Int
    /// Processes and threads at a time. Only the sandbox has this limit: elsewhere the system counts all processes of
    /// the user.
    package var processes: Int

    /// The defaults: 2 GiB, 10 minutes, files of 1 GiB, 64 processes.
    package static let standard = SinkBounds(memoryMiB: 2 << 10, processorSeconds: 600, fileMiB: 1 << 10, processes: 64)
    /// The maxima: 64 GiB, a day, files of 64 GiB, 4096 processes.
    package static let most = SinkBounds(
        memoryMiB: 64 << 10, processorSeconds: 86_400, fileMiB: 64 << 10, processes: 4096)
    /// The open files of each process. No manifest can change this.
    package static let openFiles = 1024

    /// The bounds for these limits. A value out of range becomes the nearest one in range.
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
