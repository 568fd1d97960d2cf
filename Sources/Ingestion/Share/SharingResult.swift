public import ShareModel
public import SystemPackage

/// What became of a share. It is durable in both cases.
public enum SharingResult: Sendable {
    /// It is in the container. The outcome of the receipt is accepted, partial or duplicate.
    case stored(Receipt)
    /// It is in the inbox of a container that has to be migrated first: in this folder, in the form of share packages. `sluice
    /// migrate` takes it in, and so does an agent afterwards.
    case waiting(FilePath)

    /// The receipt; `nil` if the share waits.
    public var receipt: Receipt? {
        if case .stored(let receipt) = self { receipt } else { nil }
    }
}
