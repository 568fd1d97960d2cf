internal import Files
internal import GroupContainer
public import Ingestion
public import ShareModel

/// Waits for the deliveries of one package, which an agent makes.
public struct DeliveryEnd: Sendable {
    /// How long an agent may take until it serves, or until it knows that a sink cannot be started.
    private static let patience = Duration.seconds(2)
    /// How long the wait relies on a change to wake it. What keeps a sink from starting is no change.
    private static let lookInterval = Duration.seconds(10)
    /// The most agents that one wait starts. An agent that ends again and again makes no delivery.
    private static let startLimit = 3

    private let package: String
    private let options: IngestOptions
    private let start: @Sendable () -> Void

    /// - Parameters:
    ///   - package: the identifier of the package.
    ///   - options: those of the process that took it in.
    ///   - start: starts an agent. It returns at once.
    public init(of package: String, options: IngestOptions, startingAgent start: @escaping @Sendable () -> Void) {
        (self.package, self.options, self.start) = (package, options, start)
    }

    /// Returns once no delivery of the package is open that an agent can make.
    ///
    /// - Returns: the receipt. A delivery that is still open needs a person, such as one whose sink was removed.
    /// - Throws: `ContainerError` if the container cannot be read, with the code `notFound` if the package was forgotten;
    ///   `IngestionError`; `CancellationError`.
    public func wait() async throws -> Receipt {
        let address = Agent.address(of: options.container)
        // Once, so that the wait cannot make a container where this one was removed.
        let container = try await Pipeline(options: options).openContainer(makes: false)
        let reader = try CatalogReader(reading: options.container)
        // The watch begins before the first look, so it reports each change after that look. A lock is closed when its
        // process ends.
        let watch = try ContainerError.converting {
            try reader.layout.watchChanges(orClosed: address.lock.lastComponent?.string)
        }
        return try await withTaskCancellationHandler {
            var (starts, started): (Int, ContinuousClock.Instant?) = (0, nil)
            while true {
                try Task.checkCancellation()
                try container.requireInPlace()
                let receipt = try await BlockingCall.run { [package] in try reader.receipt(package) }
                guard receipt.hasOpenDeliveries else { return receipt }
                var rest = started.map { Self.patience - (.now - $0) } ?? .zero
                if rest <= .zero {
                    // Before its first attempt, an agent has not looked again for what kept a sink from starting.
                    if starts > 0, try await !Pipeline(options: options).isDeliverable(receipt, in: container) {
                        return receipt
                    }
                    if !address.isServed || starts == 0 {
                        guard starts < Self.startLimit else { return receipt }
                        start()
                        (starts, started, rest) = (starts + 1, .now, Self.patience)
                    }
                }
                _ = try await BlockingCall.run { [rest] in
                    try watch.wake(atMost: rest > .zero ? rest : Self.lookInterval)
                }
            }
        } onCancel: {
            watch.stop()
        }
    }
}
