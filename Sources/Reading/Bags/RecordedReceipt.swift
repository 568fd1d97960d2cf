internal import FoundationEssentials
internal import ShareModel
internal import SystemPackage

/// Reads a receipt from a bag. Whoever made the bag may have written anything into it.
///
/// A receipt counts as a whole or not at all. Whether it fits its package is for the caller to decide.
struct RecordedReceipt {
    let file: String
    let limits: ReadingLimits

    /// - Throws: with code `malformed` for bytes that are no receipt, with code `refused` for another package's, and with
    ///   code `limit` for more sightings than ``ReadingLimits/sightings``.
    func receipt(_ bytes: [UInt8], id: String) throws(ReadingError) -> Receipt {
        let receipt: Receipt
        do {
            receipt = try Receipt(json: bytes, values: limits.receiptValues)
        } catch let fault as JSONFault {
            throw ReadingError(.malformed, "\(file) is not JSON, \(fault); get the bag again")
        } catch {
            throw ReadingError(.malformed, "\(file) is no receipt: \(error); get the bag again")
        }
        guard receipt.id == id else { throw ReadingError(.refused, "\(file) is the receipt of another package") }
        let sightings = receipt.sightings ?? []
        guard sightings.count <= limits.sightings else {
            throw ReadingError(.limit, "\(file) has more than \(limits.sightings) sightings")
        }
        guard Self.isTime(receipt.received), sightings.allSatisfy({ Self.isTime($0.received) }) else {
            throw malformed("a time that is none of this program")
        }
        guard isSound(receipt.source), sightings.allSatisfy({ isSound($0.source) }) else {
            throw malformed("a source that is none")
        }
        guard
            [receipt.supersedes, receipt.supersededBy].allSatisfy({
                $0.map { Self.isIdentifier($0) && $0 != receipt.id } ?? true
            })
        else {
            throw malformed("an identifier that is none of a package")
        }
        guard Set(receipt.providers.map(\.index)).count == receipt.providers.count else {
            throw malformed("two providers with one index")
        }
        guard Self.counts(of: receipt).allSatisfy({ (0...Int64(Int32.max) << 24).contains($0) }) else {
            throw malformed("a number out of its range")
        }
        return receipt
    }

    private func malformed(_ what: String) -> ReadingError {
        ReadingError(.malformed, "\(file) has \(what); get the bag again")
    }

    /// Whether a text is a time as ``Clock`` writes it, to the second, and not before 1970.
    private static func isTime(_ text: String?) -> Bool {
        guard let time = text.flatMap({ Timestamp($0) }) else { return false }
        return time.nanoseconds >= 0 && time.nanoseconds % 1_000_000_000 == 0
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private func isSound(_ source: Receipt.Source) -> Bool {
        let exact: [UInt8]? =
            source.pathBase64.map { text in Data(base64Encoded: text).map { Array($0) } } ?? Array(source.path.utf8)
        guard let exact, !exact.isEmpty, exact.count <= Self.pathBytes, !exact.contains(0) else { return false }
        guard let machine = source.machine?.utf8 else { return true }
        return !machine.isEmpty && machine.count <= limits.identifierBytes && !machine.contains(0)
    }

    /// The longest path of a source, in bytes. The system's own limit is 4,096, and a program may choose a longer name.
    private static let pathBytes = 64 << 10

    private static func counts(of receipt: Receipt) -> [Int64] {
        let deliveries = receipt.providers.flatMap(\.deliveries)
        return [receipt.bytes] + receipt.providers.compactMap(\.size) + deliveries.map { Int64($0.attempts) }
            + deliveries.flatMap(\.products).map(\.size)
    }
}
