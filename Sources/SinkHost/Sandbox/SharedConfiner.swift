package import SystemPackage

/// The one confiner of a run. The first process of the first sink makes it, because the trial of the sandbox takes a
/// moment, and many runs deliver nothing.
package actor SharedConfiner {
    private let requirement: ContainmentRequirement
    private let launcher: FilePath?
    private let notice: @Sendable (String) -> Void
    private var making: Task<SinkConfiner, any Error>?

    /// - Parameters:
    ///   - launcher: the program `sluice-launch`; `nil` to search for it near the running program.
    ///   - notice: receives, once, the reason for which there is no sandbox.
    package init(
        _ requirement: ContainmentRequirement, launcher: FilePath? = nil, notice: @escaping @Sendable (String) -> Void
    ) {
        self.requirement = requirement
        self.launcher = launcher
        self.notice = notice
    }

    /// - Throws: ``SinkHostError`` if the launcher is missing, or if the run requires a sandbox and none works.
    package var value: SinkConfiner {
        get async throws {
            if let making { return try await making.value }
            // The task is stored before the first suspension, so that callers at the same time share one trial.
            let making = Task { [requirement, launcher, notice] in
                let confiner = try await SinkConfiner(requirement: requirement, launcher: launcher)
                if let shortfall = confiner.shortfall {
                    notice("sinks run without a sandbox, with all your permissions: \(shortfall)")
                }
                return confiner
            }
            self.making = making
            return try await making.value
        }
    }
}
