/// A place in a container's feed of changes: all up to it are known. Written `EPOCH.NUMBER`.
///
/// Within one epoch, cursors are ordered by their numbers. A catalog that was copied, restored or rebuilt has another
/// epoch, and there the cursor means nothing.
public struct ChangeCursor: Sendable, Hashable, CustomStringConvertible {
    /// What the numbers belong to: 16 hexadecimal digits; `nil` for whichever is there.
    public var epoch: String?
    /// The number of the last change that is known; 0 for none.
    public var number: Int64

    /// How many digits an epoch has.
    public static let epochLength = 16

    /// A place in an epoch.
    public init(epoch: String?, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Takes `EPOCH.NUMBER`, or a bare number, which is of whichever epoch is there; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
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

    /// `EPOCH.NUMBER`; the bare number where there is no epoch.
    public var description: String { epoch.map { "\($0).\(number)" } ?? String(number) }
}
