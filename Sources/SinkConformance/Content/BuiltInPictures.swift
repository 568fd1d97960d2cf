internal import SinkHost

/// Pictures of 8 × 8 gray pixels.
enum BuiltInPictures {
    private static let side: UInt8 = 8

    /// PNG (ISO/IEC 15948) with one IDAT. Its zlib stream is not compressed (RFC 1950, RFC 1951).
    static let png: [UInt8] = {
        let header = bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 0, 0, 0, 0]
        // Each row begins with the number of its filter; 0 is none (ISO/IEC 15948, section 9).
        let rows = (0..<side).flatMap { _ in [UInt8(0)] + [UInt8](repeating: 0x80, count: Int(side)) }
        let count = UInt16(rows.count)
        let stored = [1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
        let data = [0x78, 0x01] + stored + rows + bigEndian(adler(rows))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", data)
            + chunk("IEND", [])
    }()

    /// JPEG (ITU T.81) with one gray component and one block. The block has a DC difference of 0 and an end-of-block
    /// code.
    static let jpeg: [UInt8] = {
        let quantization = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, side, 0, side, 1, 1, 0x11, 0]
        // The table has a single code, of one bit, for the value 0.
        let table = { (number: UInt8) in
            [0xFF, 0xC4, 0, 20, number, 1] + [UInt8](repeating: 0, count: 15) + [0]
        }
        // Each of the two codes is one bit, 0. The rest of the last byte is filled with ones, as T.81 demands.
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0b0011_1111]
        return [0xFF, 0xD8] + quantization + frame + table(0x00) + table(0x10) + scan + [0xFF, 0xD9]
    }()

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc(body))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The checksum of a PNG chunk: CRC-32 of ISO 3309.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// The checksum of a zlib stream: Adler-32.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
