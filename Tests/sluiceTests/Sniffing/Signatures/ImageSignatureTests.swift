import ShareModel
import Sniffing
import Testing

@Suite("Signatures of images")
struct ImageSignatureTests {
    @Test(arguments: [
        ("89504E470D0A1A0A 0000000D 'IHDR' *17 00000000 'IDAT'", "image/png"),
        ("89504E470D0A1A0A 00000004 'CgBI' *8 0000000D 'IHDR'", "image/png"),
        ("89504E470D0A1A0A 0000000D 'IHDR' *17 00000008 'acTL' *12", "image/apng"),
        ("89504E470D0A1A0A 0000000D 'IHDR' *17 00000000 'IDAT' *4 00000008 'acTL'", "image/png"),
        ("8A4D4E470D0A1A0A 0000001C 'MHDR'", "video/x-mng"),
        ("'GIF89a' 0100 0100 000000 3B", "image/gif"),
        ("FFD8FFE0 0010 'JFIF' @20 FFDB 0043", "image/jpeg"),
        ("FFD8FFE1 FFF0 'Exif'", "image/jpeg"),
        ("FFD8FFF7 000B 08 0010 0010 01 011100", "image/jls"),
        ("0000000C 4A584C20 0D0A870A 00000014 'ftypjxl'", "image/jxl"),
        ("FF0A 00 10 10 54 EE AD A2", "image/jxl"),
        ("FF4FFF51 0029 0000 @40 0001 070101", "image/x-jp2-codestream"),
        ("4949BC01 08000000 *8", "image/jxr"),
        ("'BM' 46000000 *4 36000000 28000000 01000000 01000000 0100 1800", "image/bmp"),
        ("'BM' 40000000 *4 20000000 0C000000 0D00 0700 0100 1800", "image/bmp"),
        ("00000100 0100 10100000 01002000 28000000 16000000 28000000", "image/vnd.microsoft.icon"),
        ("00000200 0100 10100000 00000000 28000000 16000000 89504E47", "image/x-win-bitmap"),
        ("49492A00 08000000 0100 0001 0300 01000000 01000000", "image/tiff"),
        ("4D4D002A 00000008 0001 0100 0003 00000001 00010000", "image/tiff"),
        ("49492B00 08000000 1000000000000000", "image/tiff"),
        ("49492A00 10000000 4352 0200", "image/x-canon-cr2"),
        ("49492A00 08000000 0100 12C6 0100 04000000 01040000 00000000", "image/x-adobe-dng"),
        (
            "49492A00 08000000 0200 0601 0300 01000000 23800000 0F01 0200 06000000 26000000 00000000 'NIKON'",
            "image/x-nikon-nef"
        ),
        ("49492A00 08000000 0100 0F01 0200 06000000 1A000000 00000000 'NIKON'", "image/tiff"),
        ("'IIRO' 08000000 *16", "image/x-olympus-orf"), ("49495500 18000000 *16", "image/x-panasonic-rw2"),
        ("'FUJIFILMCCD-RAW' 20 '0201'", "image/x-fuji-raf"), ("'FOVb' 03000200 *16", "image/x-sigma-x3f"),
        ("'qoif' 00000001 00000001 0300", "image/qoi"), ("425047FB 20 00", "image/x-bpg"),
        ("'FLIF' 33 31 0000", "image/flif"),
        ("'8BPS' 0001 *6 0003 00000001 00000001 0008 0003", "image/vnd.adobe.photoshop"),
        ("'gimp' 20 'xcf' 20 'v011' 00", "image/x-xcf"), ("'icns' 00000018 'ic07' 00000010", "image/icns"),
        ("'DDS' 20 7C000000 @76 20000000", "image/x-dds"), ("762F3101 02000000", "image/x-exr"),
        ("'#?RADIANCE' 0A 'FORMAT'", "image/vnd.radiance"), ("01DA 00 01 0003 0010 0010 0003", "image/x-sgi"),
        ("59A66A95 00000001 00000001 00000018 00000003 00000001 00000000", "image/x-sun-raster"),
        ("0A 05 01 08 0000 0000 0700 0700 @65 01 0800", "image/vnd.zbrush.pcx"),
        ("'SDPX' 00002000 'V1.0'", "image/dpx"), ("802A5FD7 00000800", "image/cineon"),
        ("'P6' 0A '4' 20 '4' 0A '255' 0A 000000", "image/x-portable-pixmap"),
        ("'P1' 0A '#comment' 0A '2' 20 '2' 0A '1' 20 '0'", "image/x-portable-bitmap"),
        ("'P7' 0A 'WIDTH' 20 '4' 0A", "image/x-portable-arbitrarymap"),
        ("D7CDC69A 0000 *16", "image/wmf"), ("01000000 6C000000 @40 20454D46", "image/emf"),
        ("'AT&TFORM' 00000010 'DJVU'", "image/vnd.djvu"), ("'AC1032' 00 *9", "image/vnd.dwg"),
        ("00 00 02 *9 0200 0200 18 20 *12 *8 'TRUEVISION-XFILE.' 00", "image/x-tga"),
        ("0000000C 6A502020 0D0A870A 00000014 'ftypjpx' 20", "image/jpx"),
        ("'RIFF' 1A000000 'WEBPVP8L' 0D000000", "image/webp"),
        ("00000018 'ftypavif' 00000000 'mif1avif'", "image/avif"),
        ("00000018 'ftypmif1' 00000000 'mif1heic'", "image/heic"),
        ("00000018 'ftypcrx' 20 00000001 'crx' 20 'isom'", "image/x-canon-cr3"),
    ])
    func knows(_ text: String, _ type: String) throws {
        let found = try MagicSnifferTests.identify(header(text))
        #expect(found.type.description == type)
        #expect(!found.basis.contains { $0.hasPrefix("libmagic") })
    }

    @Test(arguments: [
        "BMW is a make of cars, and BM its beginning.", "P1 is a prize, P2 another; P6 10 of them.",
        "GIF8 is no version",
        "qoif qoif qoif", "MM is two letters, II another two.", "8BPS 8BPS 8BPS 8BPS 8BPS 8BPS",
        "icns are icons for you",
        "DDS is a data distribution service.", "FLIF stands for free lossless image format", "AC10 is a number",
    ])
    func leavesTextAlone(_ text: String) throws {
        // libmagic may misjudge a text; the signatures before it must not.
        #expect(try MagicSnifferTests.identify(text).basis.allSatisfy(isOfText))
    }
}
