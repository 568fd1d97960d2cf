/// Reads the first packet of OpenPGP data in the old format, which all programs write for keys and messages (RFC 9580,
/// 4.2.2).
enum OpenPGPPacket {
    /// A key of version 3 or 4 (5.5.2) with a defined algorithm, followed by a packet.
    static func isKey(_ start: [UInt8]) -> Bool {
        guard let packet = first(start), let version = start.big(packet.body, 1), (3...4).contains(version),
            // Version 3 has two bytes for the validity before the algorithm (5.5.2.1).
            let algorithm = start.big(packet.body + (version == 4 ? 5 : 7), 1), isPublic(algorithm), packet.length > 20
        else { return false }
        return start.big(packet.body + packet.length, 1).map { $0 & 0x80 != 0 } ?? false
    }

    /// A session key that is encrypted for a recipient (5.1.1), followed by a packet.
    static func isSessionKey(_ start: [UInt8]) -> Bool {
        guard let packet = first(start), start.big(packet.body, 1) == 3,
            let algorithm = start.big(packet.body + 9, 1), isPublic(algorithm), packet.length > 20
        else { return false }
        return start.big(packet.body + packet.length, 1).map { $0 & 0xC0 == 0xC0 || $0 & 0x80 != 0 } ?? false
    }

    /// A signature of version 4 (5.2.3), followed by nothing or by another signature.
    static func isSignature(_ sample: Sample) -> Bool {
        let start = sample.start
        guard let packet = first(start), start.big(packet.body, 1) == 4, let algorithm = start.big(packet.body + 2, 1),
            isPublic(algorithm), start.big(packet.body + 3, 1).isIn(1...14)
        else { return false }
        let end = packet.body + packet.length
        return Int64(end) == sample.content.size || start.big(end, 1).isIn(0x88...0x89)
    }

    private static func first(_ start: [UInt8]) -> (body: Int, length: Int)? {
        guard let tag = start.big(0, 1), tag & 0xC0 == 0x80 else { return nil }
        let width = [1, 2, 4, 0][tag & 3]
        // Length type 3 leaves the length open (4.2.2), so the place of the next packet cannot be checked.
        guard width > 0, let length = start.big(1, width) else { return nil }
        return (1 + width, length)
    }

    /// Whether this is the number of a public-key algorithm. RFC 9580, 9.1.
    private static func isPublic(_ algorithm: Int) -> Bool {
        (1...3).contains(algorithm) || (16...19).contains(algorithm) || (22...28).contains(algorithm)
    }
}
