import ShareModel
import Testing

@testable import Sniffing

@Suite("Signatures of rare formats")
struct RareSignatureTests {
    @Test(arguments: [
        ("'xdg-app' 00 0200", "application/vnd.flatpak"), ("'flatpak' 00 0200", "application/vnd.flatpak"),
        ("'qpress10' 0000", "application/x-qpress"), ("'CISO' 18000000 *8", "application/x-compressed-iso"),
        ("1A02 'README' *7 10000000 *30", "application/x-arc"), ("'ajkg' 02 0000", "audio/x-shorten"),
        ("'MMMD' 00000040 'CNTI' 0000", "application/vnd.smaf"),
        ("'**' 20 'This' 20 'file' 20 'contains' 20 'an' 20 'SQLite' 20 '2.1' 20 00", "application/x-sqlite2"),
        ("'TZif' 32 *15 00000001", "application/tzif"), ("'UF2' 0A 57515D9E *8", "application/x-uf2"),
        ("'JAVA' 20 'PROFILE' 20 '1.0.2' 00 00000008", "application/vnd.java.hprof"),
        ("0E100000 00000000 '.FIT' 0000", "application/vnd.ant.fit"),
        ("'BSDIFF40' *24", "application/x-bsdiff"), ("'BSDIFN40' *24", "application/x-bsdiff"),
        ("FEFE0600", "application/x-mysql-misam-compressed-index"),
        ("'letter' @60 'TEXtREAd' @76 0003 00", "application/x-aportisdoc"),
        ("06079E00 'BOBO' *8", "application/x-appleworks-document"), ("CB0A01 0000", "application/vnd.wordperfect"),
        ("'{\\pwi' 15 00", "application/x-pocket-word"), ("C809FE02 0000", "image/vnd.dgn"),
        ("'FORM' 00000020 'LWO2' *8", "image/x-lwo"), ("'PXR-USDC' 00", "model/vnd.usd"),
        ("A50FF05A 00", "application/x-prt"),
        ("'Kaydara' 20 'FBX' 20 'Binary' 20 20 00 1A00", "application/vnd.autodesk.fbx"),
        ("4D4D 10000000 0200 *8", "image/x-3ds"), ("'VOX' 20 96000000 'MAIN'", "model/vnd.magicavoxel"),
        ("'MTM' 10 00", "audio/x-mod"), ("'MO3' 03 00", "audio/x-mo3"), ("'DBM0' 0201", "audio/x-mod"),
        ("'OKTASONG' 00", "audio/x-mod"), ("'MAS_UTrack_V004' 00", "audio/x-mod"),
        ("'if' *108 01 01 00 *384", "audio/x-mod"), ("'PATCH' 000010 0001 00 'EOF'", "application/x-ips-patch"),
        ("'BPS1' 80 00", "application/x-bps-patch"), ("'MComprHD' 0000", "application/x-mame-chd"),
        ("FF @256 'NCSD' 0004", "application/x-nintendo-3ds-rom"),
        ("'3DSX' 2000 0000", "application/x-nintendo-3ds-executable"),
        ("'FPF' 20 'Public' 20 'Image' 20 'Format' 00", "image/x-flir-fpf"),
        ("894C46500D0A1A0A 00", "image/x-lytro-lfp"), ("'ZISRAWFILE' 00", "image/x-zeiss-czi"),
        ("20000000 20000000 01000000 02000000 @208 'MAP' 20 4444 0000", "image/x-mrc"),
        ("20000000 20000000 01000000 02000000 @208 'MAP' 20 4441 0000", "image/x-mrc"),
        ("00000020 00000020 00000001 00000002 @208 'MAP' 20 1111 0000", "image/x-mrc"),
        ("'farbfeld' 00000001 00000001 0001 0002 0003 0004", "image/x-farbfeld"),
        ("5380F634 00", "image/x-pic"), ("80E80000 00", "image/x-pixar"), ("'BLP1' 00000000 *8", "image/x-blp"),
        ("'BLP2' 01000000 *8", "image/x-blp"), ("13ABA15C 0404 01", "image/astc"), ("45502A00", "image/vnd.ms-modi"),
        ("AB01 01 02 *12", "image/x-viff"), ("00 'name' @65 'PNTG' 00", "image/x-macpaint"),
        ("'Paint' 20 'Shop' 20 'Pro' 20 'Image' 20 'File' 0A1A 00", "image/x-psp"),
        // The words of the header give zero together.
        ("'LinS' 223A *26", "image/x-ms-msp"), ("'DanM' 2A2C *26", "image/x-ms-msp"),
        ("'KiSS' 20 04 0000", "image/x-cel"), ("'XISF0100' 00", "image/x-xisf"),
        ("7E100400 '0MIE'", "application/x-mie"), ("7E180400 '0MIE'", "application/x-mie"),
        ("'Xcur' 10000000 00000100", "image/x-xcursor"), ("'SAS' 2020202020 'DATA01' 00", "application/x-sas-data-v6"),
        ("'VjCD0100' 00", "chemical/x-cdx"),
        ("'1234567890123456789012345678901234567890ASCII' 20 'SPSS' 20 'PORT' 20 'FILE'", "application/x-spss-por"),
        ("00000018 'RED1' 0000", "video/x-red-r3d"), ("'QED' 00 00000100 *8", "application/x-qed-disk"),
        ("'HXCPICFE' 00", "application/x-hfe-floppy-image"),
        ("'SMILtext<smil>'", "application/x-quicktime-media-link"),
        ("'RTSPtextRTSP://a'", "application/x-quicktime-media-link"),
        ("'\\begindata{text,1}' 0A", "application/andrew-inset"), ("'##Sketch' 20 '1' 20 '0' 0A", "image/x-skencil"),
        ("'[Pyspread' 20 'save' 20 'file' 20 'version]' 0A '0.1' 0A", "application/x-pyspread-spreadsheet"),
        (
            "';' 20 'FBX' 20 '7.3.0' 20 'project' 20 'file' 0A ';' 20 'words' 0A",
            "application/vnd.autodesk.fbx"
        ),
        ("'#usda' 20 '1.0' 0A", "model/vnd.usda"),
        ("'(DWF' 20 'V00.55)(View' 20 '1,2' 20 '3,4)' 0A", "model/vnd.dwf"),
        ("'(DWF' 20 'V06.00)PK' 0304", "model/vnd.dwf"),
        ("000D 0002 0041 0041 0001 0001 0001 0001 0000 0000 0000 0000 *28", "application/x-tex-tfm"),
        // Frames with check bytes, and without.
        ("AC41 0002 0102 0304 AC41 0002 0102 0304", "audio/ac4"), ("AC40 0002 0102 AC40 0002 0102", "audio/ac4"),
        ("'song' @20 '!Scream!' 1A 02 02 15 00", "audio/x-stm"),
        ("E0000001 2010001E 'urn:web3d:x3d:fi-vocabulary-3.2' 60", "model/x3d+fastinfoset"),
        ("E0000001 00 0001", "application/fastinfoset"), ("'0' 20 1B '\\' 1B 'XCGMF01' 1B '\\'", "image/cgm"),
        ("EB5290 'NTFS' 20202020 @510 55AA", "application/x-raw-disk-image"),
        ("EB7690 'EXFAT' 202020 @510 55AA", "application/x-raw-disk-image"),
        ("EB3C90 'MSDOS5.0' @54 'FAT16' 202020 @510 55AA", "application/x-raw-disk-image"),
        ("EB5890 'MSDOS5.0' @82 'FAT32' 202020 @510 55AA", "application/x-raw-disk-image"),
        (
            "3028 301B 020101 3005 0603 2A0304 3000 170D '030101120000Z' 3005 0603 2A0304 0302 0000",
            "application/pkix-crl"
        ),
        ("'LASF' @24 01 02 @94 E300 @104 00 00", "application/vnd.las"),
        ("'LASF' @24 01 02 @94 E300 @104 81 00", "application/vnd.laszip"),
        ("'fgb' 03 'fgb' 00 0102", "application/vnd.flatgeobuf"), ("'PMTiles' 03 7F *8", "application/vnd.pmtiles"),
        ("'#ASDF' 20 '1.0.0' 0A '#ASDF_STANDARD' 20 '1.1.0' 0A", "application/x-asdf"),
        ("'ZIM' 04 0600 0100", "application/x-openzim"),
        ("'763445D' 20 'BGLD' 202020 'EHEBW' 07D8 0001 00 00 00 00 *24", "application/vnd.fdsn.mseed"),
        ("'000001D' 20 'BGLD' 202020 'EHEBW' D807 0100 00 00 00 00 *24", "application/vnd.fdsn.mseed"),
        ("03D9A29A 65FB4BB5 0300", "application/x-keepass"),
        ("'age-encryption.org/v1' 0A '->' 20 'X25519' 20 'a' 0A", "application/x-age-encryption"),
        ("'<map' 20 'version=\"freeplane' 20 '1.9.8\"></map>'", "application/x-freeplane"),
        ("'<map' 20 'version=\"1.0.1\"></map>'", "application/x-freemind"),
        ("'<ASX' 20 'version=\"3.0\"><entry/></ASX>'", "audio/x-ms-asx"),
    ])
    func knows(_ text: String, _ type: String) throws {
        let found = try MagicSnifferTests.identify(header(text))
        #expect(found.type.description == type)
        #expect(!found.basis.contains { $0.hasPrefix("libmagic") })
    }

    /// The version fills 80 bytes.
    @Test(arguments: ["00 00000000 69000000", "01 00000000 00000069"]) func knowsJT(_ rest: String) throws {
        let version = "'Version' 20 '8.0' " + String(repeating: "20", count: 69)
        #expect(try MagicSnifferTests.identify(header("\(version) \(rest) *8")).type == "model/jt")
        #expect(try MagicSnifferTests.identify(header("\(version)0A20")).type == .plainText)
    }

    private static let prose = [
        """
         and the river rises in the night, said the watchman. We wrote it down; there was no more time.
        The second page of the book has 12 lines, and a third one follows.

        """,
        "s are letters that a text may begin with, and the river rises.\nA second line.\n",
        "\nThe river rises in the night.\nThe watchman writes it down.\n",
    ]

    /// Text can begin with the same letters as a binary format. A few are long and odd enough to be trusted alone.
    @Test func noSignatureTakesText() throws {
        let letters = SignatureInspector.signatures.filter { signature in
            signature.bytes.allSatisfy { $0 < 0x7F } && !signature.bytes.hasControl(within: signature.bytes.count)
                && (signature.needsControl || signature.isConsistent != nil)
        }
        #expect(letters.count > 150)
        for signature in letters {
            for prose in Self.prose {
                let front = [UInt8](repeating: 0x61, count: signature.offset) + signature.bytes
                let type = try MagicSnifferTests.identify(front + Array(prose.utf8)).type
                #expect(ContentClass(of: type) == .text, "\(signature.name): \(type)")
            }
        }
    }

    @Test(arguments: [
        "int RED1 = 0;\n", "GET_RED1 = 1\n", "LinSpace = 3\n", "DanMiller,41,Paris\n", "KiSS FM plays\n", "KiSS!\n",
        "farbfeld is a lossless format\n", "DBM0: opened\n", "OKTASONG is a word\n", "BPS1=9600\n", "3DSX format\n",
        "qpress10 is here\n", "FORM1234LWOB\n", "JAVA PROFILE 1.0.2 is\n", "#usda #organic\n", "##Sketch of a plan\n",
        "Xcursor theme\n", "YUV4MPEG2 W16 and H16 are the size\n", "(DWF Viewer opens drawings)\n",
        "(DWF V is a format)\n",
    ])
    func textWithTheirLetters(_ text: String) throws {
        #expect(ContentClass(of: try MagicSnifferTests.identify(Array(text.utf8)).type) == .text)
    }
}
