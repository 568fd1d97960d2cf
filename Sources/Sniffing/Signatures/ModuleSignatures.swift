internal import ShareModel

/// Music modules, tunes of game consoles, and cartridges.
/// - modules: FastTracker 2 (`XM.TXT` 1.04), Impulse Tracker (`ITTECH.TXT`), Scream Tracker 2 and 3 (`TECH.DOC`), ProTracker
///   and related (the mark at 1080)
/// - tunes: SID (PSID v2NG), SPC700 (0.30), NSF 1.61, VGM, GBS, PSF
/// - cartridges by their headers: iNES, Game Boy and Advance by the logo that the console checks at start, Nintendo 64
///   by its word order
enum ModuleSignatures {
    static let all: [Signature] = [
        Signature("FastTracker 2 module", "audio/x-xm", "Extended Module: ", isText: true),
        Signature("Impulse Tracker module", "audio/x-it", "IMPM") { sample in
            sample.start.little(32, 2).isIn(0...1024) && sample.start.little(34, 2).isIn(0...4000)
                && sample.start.hasControl(within: 192)
        },
        Signature("Scream Tracker module", "audio/x-s3m", at: 44, "SCRM") { $0.start.big(28, 2) == 0x1A10 },
        // The name of the program, then the kind and the version.
        Signature("Scream Tracker 2 module", "audio/x-stm", at: 28, [0x1A, 0x02, 0x02]) { $0.start.isPrintable(20, 8) },
        Signature("module", "audio/x-mod", at: 1080, "M.K.") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "M!K!") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "FLT4") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "FLT8") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "4CHN") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "6CHN") { isModule($0.start) },
        Signature("module", "audio/x-mod", at: 1080, "8CHN") { isModule($0.start) },
        Signature("OctaMED module", "audio/x-mod", "MMD") { sample in
            sample.start.big(3, 1).isIn(0x30...0x33) && Int64(sample.start.big(4, 4) ?? 0) == sample.content.size
        },
        Signature("MultiTracker module", "audio/x-mod", "MTM", confidence: .likely) {
            $0.start.big(3, 1).isIn(0x10...0x1F)
        },
        Signature("compressed module", "audio/x-mo3", "MO3", confidence: .likely) { $0.start.big(3, 1).isIn(0...8) },
        Signature("DigiBooster module", "audio/x-mod", "DBM0"),
        Signature("Oktalyzer module", "audio/x-mod", "OKTASONG"),
        Signature("UltraTracker module", "audio/x-mod", "MAS_UTrack_V00"),
        Signature("669 module", "audio/x-mod", "if") { isComposer($0.start) },
        Signature("SID tune", "audio/prs.sid", "PSID") {
            $0.start.big(4, 2).isIn(1...4) && $0.start.big(6, 2).isIn(0x76...0x7C)
        },
        Signature("SID tune", "audio/prs.sid", "RSID") { $0.start.big(4, 2).isIn(2...4) && $0.start.big(6, 2) == 0x7C },
        Signature("SPC700 tune", "audio/x-spc", "SNES-SPC700 Sound File Data"),
        Signature("NES tune", "audio/x-nsf", "NESM\u{1A}"),
        Signature("VGM", "audio/x-vgm", "Vgm ") { $0.start.hasControl(within: 64) },
        Signature("Game Boy tune", "audio/x-gbs", "GBS\u{1}"),
        Signature("NES cartridge", "application/x-nes-rom", "NES\u{1A}") { $0.start.big(4, 1).isIn(1...255) },
        // A bit in its header says that it uses colors.
        Signature(
            "Game Boy Color cartridge", "application/x-gameboy-color-rom", at: 260,
            [0xCE, 0xED, 0x66, 0x66, 0xCC, 0x0D, 0x00, 0x0B, 0x03, 0x73]
        ) { ($0.start.big(323, 1) ?? 0) & 0x80 != 0 },
        Signature(
            "Game Boy cartridge", "application/x-gameboy-rom", at: 260,
            [0xCE, 0xED, 0x66, 0x66, 0xCC, 0x0D, 0x00, 0x0B, 0x03, 0x73]),
        Signature(
            "Game Boy Advance cartridge", "application/x-gba-rom", at: 4,
            [0x24, 0xFF, 0xAE, 0x51, 0x69, 0x9A, 0xA2, 0x21]),
        Signature("patch of a cartridge", "application/x-ips-patch", "PATCH") { $0.start.hasControl(within: 64) },
        Signature("patch of a cartridge", "application/x-bps-patch", "BPS1"),
        Signature("arcade disk", "application/x-mame-chd", "MComprHD"),
        Signature("Nintendo 3DS cartridge", "application/x-nintendo-3ds-rom", at: 256, "NCSD"),
        Signature("Nintendo 3DS program", "application/x-nintendo-3ds-executable", "3DSX"),
        Signature("Nintendo 64 cartridge", "application/x-n64-rom", [0x80, 0x37, 0x12, 0x40]) { isCartridge($0.start) },
    ]

    /// 31 instruments with volumes of at most 64, and a song of 1 to 128 patterns.
    private static func isModule(_ start: [UInt8]) -> Bool {
        guard start.big(950, 1).isIn(1...128) else { return false }
        return (0..<31).allSatisfy { start.big(20 + 30 * $0 + 25, 1).isIn(0...64) }
    }

    /// Composer 669: numbers of samples and patterns, then the order of the patterns, their tempos and their last rows.
    private static func isComposer(_ start: [UInt8]) -> Bool {
        guard start.big(110, 1).isIn(1...64), let patterns = start.big(111, 1), (1...128).contains(patterns),
            start.count >= 497
        else { return false }
        return start[113..<241].allSatisfy { $0 < patterns || $0 == 255 } && start[369..<497].allSatisfy { $0 < 64 }
    }

    /// The name must be text.
    private static func isCartridge(_ start: [UInt8]) -> Bool { start.isPrintable(32, 4) }
}
