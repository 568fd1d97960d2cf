import Foundation

/// The size in a PNG's header.
struct PNGHeader: Equatable {
    var width: Int
    var height: Int

    struct NoPNG: Error {}

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init(_ data: Data) throws {
        let bytes = [UInt8](data.prefix(24))
        guard bytes.count == 24, bytes.starts(with: Self.signature) else { throw NoPNG() }
        width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
        height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A PNG of 8-bit RGB that claims this size and has no pixels.
    func fileWithoutPixels(interlaced: Bool = false) -> Data {
        let header = Self.bytes(width) + Self.bytes(height) + [8, 2, 0, 0, interlaced ? 1 : 0]
        return Data(
            Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1])
                + Self.chunk("IEND", []))
    }

    private static func bytes(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        bytes(content.count) + type.utf8 + content + bytes(Int(crc(Array(type.utf8) + content)))
    }

    /// The CRC-32 of the PNG specification.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }
}
