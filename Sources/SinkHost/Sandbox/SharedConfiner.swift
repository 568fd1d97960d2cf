package import SystemPackage

/// The one confiner of a run, made with the first process of the first sink: to try the sandbox takes a moment, and many
/// runs deliver nothing.
package actor SharedConfiner {
    private let requirement: ContainmentRequirement
    private let launcher: FilePath?
    private let notice: @Sendable (String) -> Void
    private var making: Task<SinkConfiner, any Error>?

    /// - Parameters:
    ///   - launcher: the program `sluice-launch`; `nil` to look for it from where this program lies.
    ///   - notice: receives the reason why there is no sandbox, once.
    package init(
        _ requirement: ContainmentRequirement, launcher: FilePath? = nil, notice: @escaping @Sendable (String) -> Void
    ) {
        self.requirement = requirement
        self.launcher = launcher
        self.notice = notice
    }

    /// - Throws: where the launcher is missing, or a sandbox is required and cannot be had.
    package var value: SinkConfiner {
        get async throws {
            if let making { return try await making.value }
            let making = Task { [requirement, launcher, notice] in
                let confiner = try await SinkConfiner(requirement: requirement, launcher: launcher)
                if let shortfall = confiner.shortfall {
                    notice("sinks run without a sandbox, and may do what you may: \(shortfall)")
                }
                return confiner
            }
            self.making = making
            return try await making.value
        }
    }
}
