/// What a lock of the container protects. A process that needs several takes them in this order.
public enum LockArea: String, Sendable, CaseIterable {
    /// The container as a whole: shared by every process that has it open, exclusive for a migration.
    case container
    /// Making the container, and opening it: exclusive.
    case setup
    /// The right to drive the sinks: exclusive.
    case deliver
    /// The folder `library`: exclusive, while it is written.
    case library
    /// The objects: shared while a batch decides what is a duplicate, until the rows that rest on it are durable;
    /// exclusive while objects are removed.
    case objects
}
