/// A change in a container's feed.
///
/// An entry names the package or delivery that changed, not the difference; a client looks up the rest. ``outcome`` is
/// the outcome when the client reads the feed, which may be later than the change.
public struct ChangeEntry: Sendable, Codable, Equatable {
    /// The position after this change. A client passes it to get the changes that follow. See ``ChangeCursor``.
    public var cursor: String
    /// The number of the change. The first in an epoch is 1, and each change adds 1.
    public var number: Int64
    /// The kind of the change; later versions may add others:
    /// - `package`: the package was stored, with its deliveries.
    /// - `updated`: the package fails for another reason, some of its content was lost, or lost content is whole again.
    /// - `sighted`: the package came in again, from another place, under other names, or from another time.
    /// - `superseded`: another package replaced it.
    /// - `current`: it replaces the package that had replaced it.
    /// - `tagged`: a person gave it tags, or took some away.
    /// - `delivery`: the delivery was created, reopened or settled.
    /// - `forgotten`: the package was removed. If a person had given it a title or a text, a second change has the
    ///   identifier that it would have without them.
    public var kind: String
    /// The identifier of the package or delivery.
    public var id: String
    /// The package of the delivery; `nil` for a change of a package.
    public var package: String?
    /// The sink of the delivery; `nil` for a change of a package.
    public var sink: String?
    /// The outcome of the package or delivery; `nil` if it was removed. It is `nil` also if the same package was stored
    /// again later, because the new package has changes of its own.
    public var outcome: String?

    /// A change at a position in the feed.
    public init(
        cursor: String, number: Int64, kind: String, id: String, package: String? = nil, sink: String? = nil,
        outcome: String? = nil
    ) {
        self.cursor = cursor
        self.number = number
        self.kind = kind
        self.id = id
        self.package = package
        self.sink = sink
        self.outcome = outcome
    }
}

/// Says that a cursor is invalid in this container. A client must fetch everything again, from the beginning.
public struct ChangeReset: Sendable, Codable, Equatable {
    /// The position before the first change. See ``ChangeCursor``.
    public var cursor: String
    /// The reason why the client's cursor is invalid.
    public var why: String

    /// A reset to a position.
    public init(cursor: String, why: String) {
        self.cursor = cursor
        self.why = why
    }
}
