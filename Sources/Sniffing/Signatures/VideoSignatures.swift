internal import ShareModel

/// Movies:
/// - MPEG: program and elementary streams (ISO 13818-1, 2.5.3.3; ISO 11172-2 and 13818-2, 6.2.2.1), transport streams
///   (ISO 13818-1, 2.4.3.2) with packets of 188, 192 (BDAV) and 204 bytes, MPEG-4 Visual (ISO 14496-2, 6.2.2), H.264
///   and H.265 byte streams (annex B)
/// - professional formats: MXF (SMPTE 377-1, 6.5), GXF (SMPTE 360M), DV (IEC 61834-2)
/// - FLV (Adobe's specification 10.1, E.2), SWF 19, IVF, YUV4MPEG2, NUT, Dirac, WTV, Bink, Smacker, FLIC, NSV,
///   RealMedia, Interplay's MVE
enum VideoSignatures {
    static let all: [Signature] = [
        Signature("FLV", "video/x-flv", "FLV\u{1}") { $0.start.big(5, 4) == 9 },
        Signature("SWF", "application/x-shockwave-flash", "FWS") { isFlash($0.start, next: nil) },
        Signature("SWF, deflated", "application/x-shockwave-flash", "CWS") { isFlash($0.start, next: 0x78) },
        Signature("SWF, LZMA", "application/x-shockwave-flash", "ZWS") { sample in
            sample.start.big(12, 1) == 0x5D && isFlash(sample.start, next: nil)
        },
        Signature("MPEG program stream", "video/mpeg", [0, 0, 1, 0xBA]) { sample in
            guard let mark = sample.start.big(4, 1) else { return false }
            // The first form is MPEG-2, the second MPEG-1.
            return mark & 0xC4 == 0x44 || mark & 0xF1 == 0x21
        },
        Signature("MPEG video", "video/mpeg", [0, 0, 1, 0xB3]) { sample in
            guard let rates = sample.start.big(7, 1), let mark = sample.start.big(10, 1) else { return false }
            guard (1...14).contains(rates >> 4), rates & 15 > 0, mark & 0x20 != 0, !sample.start.isZero(4, 3) else {
                return false
            }
            // Programs write rates that the standard reserves. Then the next header must be at the right place.
            return rates & 15 <= 8 || [12, 76, 140].contains { sample.start.big($0, 3) == 1 }
        },
        Signature("MPEG-4 video", "video/mp4v-es", [0, 0, 1, 0xB0]) { sample in
            sample.start.big(5, 3) == 1 && [0xB5, 0xB2, 0x00].contains(sample.start.big(8, 1))
        },
        Signature("H.264", "video/h264", [0, 0, 0, 1]) { ByteStream.isH264($0.start, at: 4) },
        Signature("H.264", "video/h264", [0, 0, 1]) { ByteStream.isH264($0.start, at: 3) },
        Signature("H.265", "video/h265", [0, 0, 0, 1]) { ByteStream.isH265($0.start, at: 4) },
        Signature("H.265", "video/h265", [0, 0, 1]) { ByteStream.isH265($0.start, at: 3) },
        Signature("MPEG transport stream", "video/mp2t", [0x47]) { sample in
            ByteStream.isTransport(sample, at: 0, step: 188) || ByteStream.isTransport(sample, at: 0, step: 204)
        },
        // A header of four bytes precedes each packet.
        Signature("BDAV transport stream", "video/mp2t", at: 4, [0x47]) {
            ByteStream.isTransport($0, at: 4, step: 192)
        },
        Signature(
            "MXF", "application/mxf", [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02]),
        Signature("DV", "video/x-dv", [0x1F, 0x07, 0x00]) { isDigitalVideo($0.start) },
        Signature("Redcode", "video/x-red-r3d", at: 4, "RED1") { $0.start.big(0, 4).isIn(16...4096) },
        Signature("Redcode", "video/x-red-r3d", at: 4, "RED2") { $0.start.big(0, 4).isIn(16...4096) },
        Signature("IVF", "video/x-ivf", "DKIF") { $0.start.little(4, 2) == 0 && $0.start.little(6, 2) == 32 },
        Signature("YUV4MPEG2", "video/x-yuv4mpeg", "YUV4MPEG2 ", isText: true) { isRaw($0.start) },
        Signature("NUT", "video/x-nut", "nut/multimedia container\u{0}"),
        Signature("Dirac", "video/x-dirac", "BBCD") { $0.start.big(4, 1) == 0 && $0.start.isZero(9, 4) },
        Signature("WTV", "video/x-wtv", [0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11]),
        Signature("Bink", "video/vnd.radgamettools.bink", "BIK") { sample in
            sample.start.hasControl(within: 16) && sample.start.little(20, 4).isIn(1...32767)
        },
        Signature("Bink 2", "video/vnd.radgamettools.bink", "KB2") { sample in
            sample.start.hasControl(within: 16) && sample.start.little(20, 4).isIn(1...32767)
        },
        Signature("Smacker", "video/vnd.radgamettools.smacker", "SMK2") { $0.start.little(4, 4).isIn(1...32767) },
        Signature("Smacker", "video/vnd.radgamettools.smacker", "SMK4") { $0.start.little(4, 4).isIn(1...32767) },
        Signature("FLI", "video/x-fli", at: 4, [0x11, 0xAF]) { isFLIC($0) },
        Signature("FLC", "video/x-fli", at: 4, [0x12, 0xAF]) { isFLIC($0) },
        Signature("NSV", "video/x-nsv", "NSVf") { $0.start.hasControl(within: 32) },
        Signature("NSV", "video/x-nsv", "NSVs") { $0.start.isPrintable(4, 8) && $0.start.hasControl(within: 32) },
        Signature("RealMedia", "application/vnd.rn-realmedia", ".RMF") { $0.start.big(4, 4).isIn(16...64) },
        Signature("Interplay movie", "video/x-mve", "Interplay MVE File\u{1A}"),
        Signature("GXF", "application/gxf", [0, 0, 0, 0, 1, 0xBC]) { $0.start.big(14, 2) == 0xE1E2 },
    ]

    /// A valid version, and a size that is large enough for a header.
    private static func isFlash(_ start: [UInt8], next: Int?) -> Bool {
        guard start.big(3, 1).isIn(1...64), start.little(4, 4).isIn(20...(1 << 31)) else { return false }
        return next.map { start.big(8, 1) == $0 } ?? true
    }

    /// A header block, then the first subcode block.
    private static func isDigitalVideo(_ start: [UInt8]) -> Bool {
        guard let subcode = start.big(80, 1) else { return false }
        return subcode & 0xE0 == 0x20 && start.big(81, 1).map { $0 & 0x0F == 7 } ?? false
    }

    /// A line with a width and a height, then the first frame: yuv4mpeg(5). Bright pictures have no control characters.
    private static func isRaw(_ start: [UInt8]) -> Bool {
        guard let end = start.firstIndex(of: 0x0A) else { return false }
        let parameters = start[..<end].split(separator: 0x20).dropFirst()
        let hasSize = "WH".utf8.allSatisfy { letter in
            parameters.contains { $0.first == letter && $0.dropFirst().number.isIn(1...65_535) }
        }
        guard hasSize, parameters.allSatisfy({ $0.first.map("WHFIACX".utf8.contains) ?? false }) else { return false }
        return start.has("FRAME", at: end + 1) || start.count < end + 6
    }

    private static func isFLIC(_ sample: Sample) -> Bool {
        sample.start.little(6, 2).isIn(1...32767) && sample.start.little(8, 2).isIn(1...16384)
            && sample.start.little(10, 2).isIn(1...16384) && [0, 8, 15, 16, 24].contains(sample.start.little(12, 2))
    }
}
