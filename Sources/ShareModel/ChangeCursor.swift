/// A position in a container's feed of changes, written `EPOCH.NUMBER`. The holder knows all changes up to it.
///
/// The numbers order the cursors of one epoch. A copied, restored or rebuilt catalog has a new epoch, in which cursors
/// of the old one are invalid.
public struct ChangeCursor: Sendable, Hashable, CustomStringConvertible {
    /// The epoch of the number, 16 hexadecimal digits; `nil` stands for the current epoch.
    public var epoch: String?
    /// The number of the last known change; 0 if none is known.
    public var number: Int64

    /// The number of hexadecimal digits in an epoch.
    public static let epochLength = 16

    /// A position in an epoch.
    public init(epoch: String?, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses `EPOCH.NUMBER`, or a bare number, which belongs to the current epoch; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // `Int64(_:)` accepts a sign.
        guard let digits = parts.last, !digits.isEmpty, digits.utf8.allSatisfy("0123456789".utf8.contains),
            let number = Int64(digits)
        else { return nil }
        self.number = number
        guard parts.count == 2 else { return }
        guard parts[0].utf8.count == Self.epochLength, parts[0].utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
            return nil
        }
        epoch = String(parts[0])
    }

    /// `EPOCH.NUMBER`, or the bare number if there is no epoch.
    public var description: String { epoch.map { "\($0).\(number)" } ?? String(number) }
}
