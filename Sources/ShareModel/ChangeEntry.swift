/// A change in a container's feed.
///
/// It says what changed, not how: whoever needs the whole looks the package or delivery up. ``outcome`` is as it stands
/// when the feed is read, which may be later than the change.
public struct ChangeEntry: Sendable, Codable, Equatable {
    /// The place after this change: hand it in to get those that follow. ``ChangeCursor``.
    public var cursor: String
    /// From 1, each one more than the one before, within an epoch.
    public var number: Int64
    /// `package`: it came in, with its deliveries; `updated`: it fails for another reason now, or content of it was lost
    /// or is whole again; `superseded`: another replaced it; `current`: it replaces what had replaced it; `delivery`: it
    /// was made, reopened or settled; `forgotten`: the package is gone. Others may be added.
    public var kind: String
    /// The package's or delivery's identifier.
    public var id: String
    /// The delivery's package; `nil` for a package's change.
    public var package: String?
    /// The delivery's sink; `nil` for a package's change.
    public var sink: String?
    /// The package's or delivery's outcome; `nil` where it is gone, also where a package that was forgotten came in again
    /// since: that one's changes have numbers of their own.
    public var outcome: String?

    /// A change, by its place and its subject.
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

/// Says that a cursor means nothing here: what its holder knows must be fetched again, from the beginning.
public struct ChangeReset: Sendable, Codable, Equatable {
    /// The place to begin at, before the first change. ``ChangeCursor``.
    public var cursor: String
    /// Why the cursor that was handed in means nothing.
    public var why: String

    /// A reset to a place, for a reason.
    public init(cursor: String, why: String) {
        self.cursor = cursor
        self.why = why
    }
}
