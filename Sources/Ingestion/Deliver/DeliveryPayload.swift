internal import SinkKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A delivery as the queue keeps it: whole but for what each attempt adds.
enum DeliveryPayload {
    static func encode(_ delivery: Delivery) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(delivery), as: UTF8.self)
    }

    static func decode(_ payload: String) throws -> Delivery {
        try JSONDecoder().decode(Delivery.self, from: Data(payload.utf8))
    }
}
