internal import ShareModel

/// Sound:
/// - FLAC (RFC 9639, section 6), AMR (RFC 4867, section 5.1), EVRC and QCELP (RFC 3625), MIDI (Standard MIDI Files 1.0)
/// - AIFF and AIFF-C (Apple, 1989 and 1991), 8SVX, AU (`audio.h`), CAF 1.0, Wave64, Creative Voice (1.1)
/// - Monkey's Audio 3.x, Musepack SV7 and SV8, WavPack 4, True Audio 1 and 2, TAK, OptimFROG, DSF 1.01, DSDIFF 1.5,
///   RealAudio, Audible, DTS-HD (the header that the encoder of DTS, Inc. writes)
///
/// ``RIFFInspector`` recognizes SoundFont.
enum AudioSignatures {
    static let all: [Signature] = [
        Signature("Shorten", "audio/x-shorten", "ajkg") { $0.start.big(4, 1).isIn(0...3) },
        Signature("ring tone, SMAF", "application/vnd.smaf", "MMMD") { $0.start.has("CNTI", at: 8) },
        Signature("DTS-HD", "audio/vnd.dts.hd", "DTSHDHDR"),
        Signature("FLAC", "audio/x-flac", "fLaC") { sample in
            // STREAMINFO is the first block, and has 34 bytes.
            guard let kind = sample.start.big(4, 1) else { return false }
            return kind & 0x7F == 0 && sample.start.big(5, 3) == 34
        },
        Signature("AMR", "audio/amr", "#!AMR\n", isText: true),
        Signature("AMR, several channels", "audio/amr", "#!AMR_MC1.0\n"),
        Signature("AMR-WB", "audio/amr-wb", "#!AMR-WB\n", isText: true),
        Signature("AMR-WB, several channels", "audio/amr-wb", "#!AMR-WB_MC1.0\n"),
        Signature("MIDI", "audio/midi", "MThd") { sample in
            sample.start.big(4, 4).isIn(6...64) && sample.start.big(8, 2).isIn(0...2)
        },
        Signature("AIFF", "audio/x-aiff", "FORM") { $0.start.has("AIFF", at: 8) && $0.start.isPrintable(12, 4) },
        Signature("AIFF-C", "audio/x-aiff", "FORM") { $0.start.has("AIFC", at: 8) && $0.start.isPrintable(12, 4) },
        Signature("8SVX", "audio/x-8svx", "FORM") { $0.start.has("8SVX", at: 8) },
        Signature("AU", "audio/basic", ".snd") { sample in
            sample.start.big(4, 4).isIn(24...(1 << 24)) && sample.start.big(12, 4).isIn(1...27)
                && sample.start.big(20, 4).isIn(1...255)
        },
        Signature("CAF", "audio/x-caf", "caff") { $0.start.big(4, 2) == 1 && $0.start.isPrintable(8, 4) },
        Signature("Wave64", "audio/x-w64", [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6]),
        Signature("Monkey's Audio", "audio/x-ape", "MAC ") { $0.start.little(4, 2).isIn(3000...5000) },
        Signature("Musepack SV7", "audio/x-musepack", "MP+") { [0x07, 0x17].contains($0.start.big(3, 1)) },
        Signature("Musepack SV8", "audio/x-musepack", "MPCK") {
            $0.start.isPrintable(4, 2) && $0.start.hasControl(within: 32)
        },
        Signature("WavPack", "audio/x-wavpack", "wvpk") { $0.start.little(8, 2).isIn(0x402...0x410) },
        Signature("True Audio", "audio/x-tta", "TTA1") {
            $0.start.little(4, 2).isIn(1...3) && $0.start.little(6, 2).isIn(1...255)
        },
        Signature("True Audio 2", "audio/x-tta", "TTA2") { $0.start.hasControl(within: 64) },
        Signature("TAK", "audio/x-tak", "tBaK") { $0.start.hasControl(within: 64) },
        Signature("OptimFROG", "audio/x-ofr", "OFR ") { $0.start.hasControl(within: 32) },
        Signature("DSF", "audio/x-dsf", "DSD ") { $0.start.little(4, 4) == 28 && $0.start.has("fmt ", at: 28) },
        Signature("DSDIFF", "audio/x-dff", "FRM8") { $0.start.has("DSD ", at: 12) },
        Signature("Creative Voice", "audio/x-voc", "Creative Voice File\u{1A}"),
        Signature("RealAudio", "audio/x-pn-realaudio", [0x2E, 0x72, 0x61, 0xFD]),
        Signature("Audible", "audio/audible", at: 4, [0x57, 0x90, 0x75, 0x36]),
        Signature("ADIF", "audio/x-aac", "ADIF") { $0.start.hasControl(within: 16) },
        Signature("AC-4", "audio/ac4", [0xAC, 0x40]) { try isFollowed($0, checkBytes: 0) },
        Signature("AC-4", "audio/ac4", [0xAC, 0x41]) { try isFollowed($0, checkBytes: 2) },
        Signature("Digital Speech Standard", "audio/x-dss", [0x02, 0x64, 0x73, 0x73]),
    ]

    /// Whether a second frame of AC-4 follows the first one (ETSI TS 103 190-1, annex G).
    ///
    /// - Parameter checkBytes: the number of check bytes behind each frame.
    private static func isFollowed(_ sample: Sample, checkBytes: Int) throws -> Bool {
        guard let short = sample.start.big(2, 2), short > 0 else { return false }
        // 0xFFFF means that a size of three bytes follows.
        let length = short == 0xFFFF ? sample.start.big(4, 3).map { $0 + 7 } : short + 4
        guard let length else { return false }
        return try sample.content.read(at: Int64(length + checkBytes), count: 2) == Array(sample.start.prefix(2))
    }
}
