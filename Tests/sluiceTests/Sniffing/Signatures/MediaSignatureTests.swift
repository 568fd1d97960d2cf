import Formats
import ShareModel
import Sniffing
import Testing

@Suite("Signatures of sound and movies")
struct MediaSignatureTests {
    @Test(arguments: [
        ("'fLaC' 00000022 *34", "audio/x-flac"), ("'#!AMR' 0A 3C", "audio/amr"),
        ("'MThd' 00000006 0001 0002 00F0", "audio/midi"), ("'FORM' 00000010 'AIFFCOMM'", "audio/x-aiff"),
        ("'.snd' 00000018 FFFFFFFF 00000001 00001F40 00000001", "audio/basic"),
        ("'caff' 00010000 'desc'", "audio/x-caf"),
        ("'MAC' 20 960F0000", "audio/x-ape"), ("'MP+' 17 *8", "audio/x-musepack"),
        ("'wvpk' 20000000 1004", "audio/x-wavpack"),
        ("'DSD' 20 1C000000 00000000 @28 'fmt' 20", "audio/x-dsf"),
        ("'Creative' 20 'Voice' 20 'File' 1A 1A00", "audio/x-voc"),
        ("'Extended' 20 'Module:' 20 'x'", "audio/x-xm"), ("'PSID' 0002 007C *16", "audio/prs.sid"),
        ("'RIFF' 24000000 'WAVEfmt' 20 10000000", "audio/vnd.wave"), ("'RIFX' 00000024 'WAVEfmt' 20", "audio/vnd.wave"),
        ("'RIFF' 24000000 'AVI' 20 'LIST'", "video/x-msvideo"),
        ("'RIFF' 24000000 'CDRAvrsn'", "application/vnd.corel-draw"),
        ("7FFE8001 FC3C063000 @100 64582025 0000", "audio/vnd.dts.hd"),
        ("'OggS' 00 02 *20 01 13 'OpusHead' *11", "audio/opus"), ("'OggS' 00 02 *20 01 07 01 'vorbis'", "audio/vorbis"),
        ("'OggS' 00 02 *20 01 07 01 'vorbis' 'OggS' 00 02 *20 01 07 80 'theora'", "video/ogg"),
        ("'OggS' 00 02 *20 01 08 'fishead' 00 'OggS' 00 02 *20 01 05 7F 'FLAC'", "audio/x-oggflac"),
        ("1A45DFA3 87 4282 84 'webm' 18538067 FF", "video/webm"),
        ("1A45DFA3 8B 4282 88 'matroska' 18538067 FF", "video/x-matroska"),
        ("1A45DFA3 8B 4282 88 'matroska' 18538067 FF 1654AE6B 85 AE 83 83 81 02", "audio/x-matroska"),
        ("00000018 'ftypM4A' 20 00000000 'M4A' 20 'mp42'", "audio/mp4"),
        ("00000018 'ftypmp42' 00000000 'mp42isom'", "video/mp4"),
        (
            "00000014 'ftypisom' 00000000 'isom' 00000030 'moov' 00000028 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'soun' *4",
            "audio/mp4"
        ),
        (
            "00000014 'ftypisom' 00000000 'isom' 00000030 'moov' 00000028 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'vide' *4",
            "video/mp4"
        ),
        (
            "00000014 'ftypisom' 00000000 'isom' 00011170 'mdat' @70020 00000030 'moov' 00000028 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'soun' *4",
            "audio/mp4"
        ),
        (
            "00000014 'ftypisom' 00000000 'isom' 00000001 'moov' 0000000000000038 00000028 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'soun' *4",
            "audio/mp4"
        ),
        ("00000014 'ftypqt' 20 20 00000000 'qt' 20 20", "video/quicktime"),
        ("00000014 'ftyp3gp5' 00000000 '3gp5'", "video/3gpp"),
        ("00000008 'wide' 00000010 'mdat' *8", "video/quicktime"),
        ("00000100 'moov' 0000006C 'mvhd'", "video/quicktime"),
        ("'YUV4MPEG2' 20 'W16' 20 'H16' 20 'F25:1' 0A 'FRAME' 0A EBEBEBEB", "video/x-yuv4mpeg"),
        ("'YUV4MPEG2' 20 'H16' 20 'W16' 0A", "video/x-yuv4mpeg"),
        ("'DTSHDHDR' 00000000 00000020 *32", "audio/vnd.dts.hd"),
        ("'FLV' 01 05 00000009 00000000", "video/x-flv"), ("'FWS' 08 3C550000 *16", "application/x-shockwave-flash"),
        ("000001BA 44 0004000401 0189C3 F8", "video/mpeg"), ("000001B3 1400F014 FFFFE0 A0", "video/mpeg"),
        ("00000001 67 64 00 1F AC", "video/h264"), ("00000001 4001 0C01 FFFF", "video/h265"),
        ("47400010 @188 47400011 @376 47400012 @564", "video/mp2t"),
        ("00000000 47400010 @196 47400011 @388 47400012 @580", "video/mp2t"),
        ("060E2B34 02050101 0D010201", "application/mxf"), ("'DKIF' 0000 2000 'VP80'", "video/x-ivf"),
        ("'.RMF' 00000012 0000", "application/vnd.rn-realmedia"),
        ("3026B2758E66CF11A6D900AA0062CE6C 1E00000000000000 *6", "video/x-ms-asf"),
        ("'ID3' 0300 00 00000000 'fLaC'", "audio/x-flac"), ("'ID3' 0300 00 0000000A *10", "audio/mpeg"),
    ])
    func knows(_ text: String, _ type: String) throws {
        let found = try MagicSnifferTests.identify(header(text))
        #expect(found.type.description == type)
        #expect(!found.basis.contains { $0.hasPrefix("libmagic") })
    }

    /// A file of many boxes and tracks leaves some of the budget for the search for its end.
    @Test func manyTracksDoNotSpendTheBudget() throws {
        let start = header("00000014 'ftypisom' 00000000 'isom'")
        let free = header("00011170 'free' @70000")
        let track = header("00000C00 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'soun' @3072")
        let tracks = (0..<60).flatMap { _ in track }
        let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: (tracks.count + 8) >> (8 * $0)) }
        let bytes = start + (0..<12).flatMap { _ in free } + size + Array("moov".utf8) + tracks
        let content = ContentBytes(bytes)
        #expect(try MagicSniffer(isLate: true).identify(content, claims: TypeClaims()).type == "video/mp4")
        #expect(!content.isSpent && content.usage.reads <= 64)
    }

    @Test func aFrameNeedsAFrameAfterIt() throws {
        let sound = audioFrame + audioFrame + audioFrame
        #expect(try MagicSnifferTests.identify(sound).type.description == "audio/mpeg")
        #expect(try MagicSnifferTests.identify(sound).confidence == .certain)
        let aac = adtsFrame + adtsFrame + adtsFrame
        #expect(try MagicSnifferTests.identify(aac).type.description == "audio/x-aac")
        #expect(
            try MagicSnifferTests.identify(header("'ID3' 0400 00 0000000A *10") + aac).type.description == "audio/x-aac"
        )
        #expect(
            try MagicSnifferTests.identify(header("'ID3' 0400 00 00000000 01020304") + aac).type.description
                == "audio/x-aac")
        let alone = audioFrame + [UInt8](repeating: 7, count: 900)
        #expect(!(try MagicSnifferTests.identify(alone).basis.contains { $0.hasPrefix("audio frames") }))
    }

    @Test func findsFramesAfterJunk() throws {
        let sound = [[UInt8]](repeating: audioFrame, count: 7).flatMap { $0 }
        let junk: [UInt8] = [0x93, 0x01, 0xFE, 0x7A, 0x00, 0xC3, 0x28, 0x99]
        let found = try MagicSnifferTests.identify(junk + sound)
        #expect(found.type.description == "audio/mpeg")
        #expect(found.basis.first == "audio frames: MPEG audio at byte 8")
    }

    @Test(arguments: [
        "RIFF is a format of files.", "OggS is the beginning of a page", "FORM follows function", "FLV, then",
        "ID3 tags are old",
        "MThd, MTrk", "fLaC is lossless", "caff is no coffee", "MAC addresses have six bytes.",
        String(repeating: "G17\n", count: 300),
    ])
    func leavesTextAlone(_ text: String) throws {
        // libmagic may misjudge a text; the signatures before it must not.
        #expect(try MagicSnifferTests.identify(text).basis.allSatisfy(isOfText))
    }
}
