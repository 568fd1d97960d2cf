import ShareModel
import Sniffing
import Testing

@Suite("Signatures of fonts, programs, documents and data")
struct BinarySignatureTests {
    @Test(arguments: [
        ("00010000 0001 0010 0000 0000 'head' 00000000 0000001C 00000036", "application/x-font-ttf"),
        ("'OTTO' 0001 0010 0000 0000 'CFF' 20 00000000 0000001C 00000036", "application/x-font-otf"),
        ("'ttcf' 00010000 00000002", "font/collection"), ("'wOFF' 00010000 00000100 000D 0000", "font/woff"),
        ("'wOF2' 00010000 00000100 000D 0000", "font/woff2"),
        ("8001 10000000 '%!PS-AdobeFont-1.0'", "application/x-font-type1"),
        ("7F454C46 02010100 *8 0200 3E00", "application/x-executable"),
        ("7F454C46 01020100 *8 0001 0008", "application/x-object"),
        ("7F454C46 02010100 *8 0300 3E00", "application/x-sharedlib"),
        ("7F454C46 02010100 *8 0400 3E00", "application/x-coredump"),
        ("'MZ' *58 40000000 'PE' 0000 6486 *20", "application/vnd.microsoft.portable-executable"),
        ("'MZ' 9000 0300 0000 0400 0000 FFFF 0000 B800 0000 0000 0000 4000 *34", "application/x-ms-dos-executable"),
        ("FEEDFACF 01000007 00000003 00000002 00000010", "application/x-mach-binary"),
        ("CAFEBABE 00000002 01000007 00000003 00001000", "application/x-mach-binary"),
        ("CAFEBABE 00000034 0010 07", "application/java-vm"), ("0061736D 01000000", "application/wasm"),
        ("F30D0D0A 00000000 40BDF768 6E000000 E3", "application/x-python-bytecode"),
        ("'dex' 0A '035' 00", "application/vnd.android.dex"),
        ("'%PDF-1.4' 0A '1' 20 '0' 20 'obj' 0A 'startxref' 0A '0' 0A '%%EOF'", "application/pdf"),
        ("'%PDF-1.4' 0A 25E2E3CFD3 0A '1' 20 '0' 20 'obj'", "application/pdf"),
        ("'{\\rtf1\\ansi' 20 'x}'", "application/rtf"), ("'%!PS-Adobe-3.0' 0A", "application/postscript"),
        ("'ITSF' 03000000 60000000 *8", "application/vnd.ms-htmlhelp"),
        ("'!BDN' 00000000 'SM' 1700", "application/vnd.ms-outlook-pst"),
        ("789F3E22 0100 01 0690", "application/vnd.ms-tnef"),
        ("4C000000 0114020000000000C000000000000046 9B00", "application/x-ms-shortcut"),
        ("@60 'BOOKMOBI' *8 0002", "application/x-mobipocket-ebook"),
        ("E4525C7B8CD8A74DAEB15378D02996D3", "application/onenote"),
        ("'SQLite' 20 'format' 20 '3' 00 1000", "application/x-sqlite3"), ("894844460D0A1A0A 00", "application/x-hdf5"),
        ("'PAR1' *16 'PAR1'", "application/vnd.apache.parquet"), ("4F626A01 04 14 'avro.codec'", "application/x-avro"),
        ("D4C3B2A1 0200 0400 *16", "application/vnd.tcpdump.pcap"),
        ("0A0D0D0A 1C000000 4D3C2B1A", "application/x-pcapng"),
        ("@128 'DICM' 0200 0000", "application/dicom"),
        ("DE120495 00000000 01000000 1C000000 24000000 *16", "application/x-gettext-translation"),
        ("'IWAD' 00000000 0C000000", "application/x-doom-wad"), ("00000001 'Bud1'", "application/x-apple-ds_store"),
        ("'d8:announce3:abc4:infod6:lengthi1eee'", "application/x-bittorrent"),
        ("'glTF' 02000000 20000000", "model/gltf-binary"),
        ("00000020 'Is' 0000 00000A00 *16", "application/x-wii-wad"),
        ("89474E440D0A1A0A 00000058", "application/gnunet-directory"),
        ("FE01 0A 0C 0300 0010 0100 00300000", "application/x-mysql-table-definition"),
        ("FEFE0701 00000000", "application/x-mysql-misam-index"),
        ("C0B9072E4F93F146A015792CA1D9E821 15000000", "application/x-axcrypt"),
        ("0809FE02 41040008", "image/vnd.dgn"), ("'EHFA_HEADER_TAG' 00", "application/x-erdas-hfa"),
        ("'HEADER' 20 'RECORD*******LIBRARY' 20 'HEADER'", "application/x-sas-xport"),
        ("789C 4B4C4A06 00 024D0127", "application/zlib"),
        ("'%!PS-Adobe-3.0' 20 'PDF-1.4' 0A '%' 00", "application/pdf"),
        ("@80 01000000 *50", "model/stl"), ("'CDF' 01 00000000 00000000", "application/x-netcdf"),
        ("00010000 'Standard' 20 'Jet' 20 'DB' 00", "application/x-msaccess"),
        ("03 7B0101 01000000 4100 0B00 *20 'NAME' *7 'C' *20 0D", "application/x-dbf"),
        ("3082010A 308200F0 A003020102 020101 300D 06092A864886F70D01010B", "application/pkix-cert"),
        ("3082010A 020103 30820100 06092A864886F70D010701", "application/x-pkcs12"),
        (
            "30820200 06092A864886F70D010702 A08201F1 308201ED 020101 3100 300B 06092A864886F70D010701 A0",
            "application/pkcs7-signature"
        ),
        (
            "30820200 06092A864886F70D010702 A08201F1 308201ED 020101 3100 3080 06092A864886F70D010701 A080",
            "application/pkcs7-mime"
        ),
    ])
    func knows(_ text: String, _ type: String) throws {
        let found = try MagicSnifferTests.identify(header(text))
        #expect(found.type.description == type)
        #expect(!found.basis.contains { $0.hasPrefix("libmagic") })
    }

    @Test(arguments: [
        "%PDF is how a PDF begins",
        "MZ is a monogram of somebody",
        "true, it is; OTTO was his name", "PAR1 is written here", "ORC is a monster", "IWAD and PWAD are archives",
        "GRIB is about the weather", "Obj", "d4: a square of the board", "dex", "LASF, and more",
    ])
    func leavesTextAlone(_ text: String) throws {
        // libmagic may misjudge a text; the signatures before it must not.
        #expect(try MagicSnifferTests.identify(text).basis.allSatisfy(isOfText))
    }

    @Test(arguments: [
        "%PDF-1.4 is how a PDF of version 1.4 begins, they say", "It begins with %PDF-1.7\nand goes on.\n",
    ])
    func wordsOfAPDFAreText(_ text: String) throws {
        #expect(try MagicSnifferTests.identify(text).type == .plainText)
    }

    @Test func aWrapperWithAPDFIsNoPDF() throws {
        let document = Array("%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n".utf8)
        let wrapper = header(
            "30820200 06092A864886F70D010702 A08201F1 308201ED 020101 3100 3080 06092A864886F70D010701 A080")
        #expect(try MagicSnifferTests.identify(wrapper + document).type.description == "application/pkcs7-mime")
    }
}
