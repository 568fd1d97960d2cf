internal import SystemPackage

/// The one confiner of a run, made with the first process of the first sink: to try the sandbox takes a moment, and many
/// runs deliver nothing.
actor SharedConfiner {
    private let requirement: ContainmentRequirement
    private let notice: @Sendable (String) -> Void
    private var making: Task<SinkConfiner, any Error>?

    /// - Parameter notice: told why there is no sandbox, once.
    init(_ requirement: ContainmentRequirement, notice: @escaping @Sendable (String) -> Void) {
        self.requirement = requirement
        self.notice = notice
    }

    /// - Throws: where the launcher is missing, or a sandbox is required and cannot be had.
    var value: SinkConfiner {
        get async throws {
            if let making { return try await making.value }
            let making = Task { [requirement, notice] in
                let confiner = try await SinkConfiner(requirement: requirement)
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
