/// What a disk may do with operations that no sync has covered. What a sync has covered is always there.
enum Survival: Hashable, CustomStringConvertible {
    /// All of it is there: the process died, and not the machine.
    case everything
    /// None of it is there.
    case syncedOnly
    /// Files have their names and no bytes: nothing, or zeros of the right length.
    case names(zeros: Bool)
    /// Bytes are there, names are not.
    case bytes
    /// All but that the last write is there in its first half only.
    case torn
    /// Each by chance: there, not there, or of the right length only; a write also in part.
    case chance(seed: UInt64)

    var description: String {
        switch self {
        case .everything: "everything"
        case .syncedOnly: "what was synced"
        case .names(let zeros): zeros ? "names and zeros" : "names without bytes"
        case .bytes: "bytes without names"
        case .torn: "a torn last write"
        case .chance(let seed): "chance \(seed)"
        }
    }

    /// What becomes of one operation.
    enum Fate {
        case kept, dropped, zeros
        case torn(Int)

        /// How many of a write's bytes are there; the others extend the file at most.
        func count(of all: Int) -> Int {
            switch self {
            case .kept: all
            case .dropped, .zeros: 0
            case .torn(let count): count
            }
        }
    }

    /// What becomes of an operation that no sync has covered; the last write may be torn.
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
