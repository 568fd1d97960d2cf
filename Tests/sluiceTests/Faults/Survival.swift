/// The possible fates of operations that no sync has covered. Synced operations always survive.
enum Survival: Hashable, CustomStringConvertible {
    /// All of them survive, because the process died and the machine did not.
    case everything
    /// None of them survives.
    case syncedOnly
    /// Names survive without bytes: content is empty, or zeros of the right length.
    case names(zeros: Bool)
    /// Bytes survive, names do not.
    case bytes
    /// All survive, but of the last write only the first half.
    case torn
    /// The fate of each is random: it survives, it is lost, or only its length survives. A write may survive in part.
    case chance(seed: UInt64)

    var description: String {
        switch self {
        case .everything: "everything"
        case .syncedOnly: "synced data alone"
        case .names(let zeros): zeros ? "names and zeros" : "names without bytes"
        case .bytes: "bytes without names"
        case .torn: "a torn last write"
        case .chance(let seed): "chance \(seed)"
        }
    }

    /// The fate of one operation.
    enum Fate {
        case kept, dropped, zeros
        case torn(Int)

        /// The number of bytes of a write that survive. The others may only extend the file.
        func count(of all: Int) -> Int {
            switch self {
            case .kept: all
            case .dropped, .zeros: 0
            case .torn(let count): count
            }
        }
    }

    /// The fate of an operation that no sync has covered. The last write may be torn.
    func fate(of operation: DiskOperation, isLast: Bool, _ generator: inout SeededGenerator) -> Fate {
        let bytes: Int? = if case .write(_, _, let bytes) = operation { bytes.count } else { nil }
        switch self {
        case .everything: return .kept
        case .syncedOnly: return .dropped
        case .names(let zeros):
            guard bytes != nil else { return .kept }
            return zeros ? .zeros : .dropped
        case .bytes:
            if case .truncate = operation { return .kept }
            return bytes == nil ? .dropped : .kept
        case .torn: return isLast ? .torn((bytes ?? 0) / 2) : .kept
        case .chance:
            let number = generator.next() % 8
            guard let bytes else { return number < 4 ? .kept : .dropped }
            switch number {
            case 0...3: return .kept
            case 4, 5: return .dropped
            case 6: return .zeros
            default: return .torn(bytes == 0 ? 0 : Int(generator.next() % UInt64(bytes)))
            }
        }
    }
}
