internal import ShareModel

/// Drawings and related formats:
/// - metafiles ([MS-WMF] 2.3.2, [MS-EMF] 2.3.4.2), CGM (ISO 8632-3, section 5), WordPerfect graphics (prefix area),
///   DjVu (v3, 8.3)
/// - DWG (Open Design specification, 4.1), binary DXF, DWF, DGN (Intergraph Standard File Formats), ICC profiles
///   (ICC.1, 7.2)
/// - glTF 2.0 (binary), STL, Blender's files
enum GraphicsSignatures {
    static let all: [Signature] = [
        Signature("WMF, placeable", "image/wmf", [0xD7, 0xCD, 0xC6, 0x9A, 0x00, 0x00]),
        Signature("WMF", "image/wmf", [0x01, 0x00, 0x09, 0x00, 0x00]) {
            $0.start.little(5, 1).isIn(1...3) && isMeta($0)
        },
        Signature("WMF", "image/wmf", [0x02, 0x00, 0x09, 0x00, 0x00]) {
            $0.start.little(5, 1).isIn(1...3) && isMeta($0)
        },
        Signature("EMF", "image/emf", [0x01, 0, 0, 0]) { sample in
            sample.start.has(" EMF", at: 40) && sample.start.little(4, 4).isIn(88...(1 << 20))
        },
        Signature("CGM", "image/cgm", [0x00]) { isMetafile($0.start) },
        // ISO 8632-2: the code that begins a metafile, and its name between two escape sequences.
        Signature("CGM, in characters", "image/cgm", "0 \u{1B}", isText: true) { sample in
            sample.start.has("X", at: 3) || sample.start.has("\\\u{1B}X", at: 3)
        },
        Signature("WordPerfect graphic", "application/x-wpg", [0xFF, 0x57, 0x50, 0x43]) { sample in
            sample.start.little(8, 2) == 0x1601
        },
        Signature("DjVu", "image/vnd.djvu", "AT&TFORM") { sample in
            ["DJVU", "DJVM", "DJVI", "THUM"].contains { sample.start.has($0, at: 12) }
        },
        // The version fills 80 bytes. The order of bytes, a number and the place of the table of contents follow (JT 8 and 9; 9.5, 6.1.1).
        Signature("JT", "model/jt", "Version ") { sample in
            let order = sample.start.big(80, 1)
            return order.isIn(0...1) && sample.start.isPrintable(0, 75)
                && (order == 0 ? sample.start.little(85, 4) : sample.start.big(85, 4)).isIn(89...1_024)
        },
        Signature("X3D in Fast Infoset", "model/x3d+fastinfoset", [0xE0, 0, 0, 1]) {
            $0.start.has("urn:web3d:x3d", at: 8)
        },
        Signature("Fast Infoset", "application/fastinfoset", [0xE0, 0, 0, 1], confidence: .likely) {
            $0.start.big(4, 1).isIn(0...127)
        },
        Signature("DWG", "image/vnd.dwg", "AC10") { sample in
            sample.start.isPrintable(4, 2) && sample.start.little(6, 1) == 0
        },
        Signature("DXF, binary", "image/vnd.dxf", "AutoCAD Binary DXF\r\n\u{1A}\u{0}"),
        // The drawing may be text too.
        Signature("DWF", "model/vnd.dwf", "(DWF V", isText: true) { sample in
            let version = sample.start.dropFirst(6).prefix(6)
            return version.last == 0x29 && version.dropLast().split(separator: 0x2E).map(\.count) == [2, 2]
                && version.dropLast().allSatisfy { $0.isDigit || $0 == 0x2E }
        },
        Signature("MicroStation 7, flat", "image/vnd.dgn", [0x08, 0x09, 0xFE, 0x02]),
        Signature("MicroStation 7, in space", "image/vnd.dgn", [0xC8, 0x09, 0xFE, 0x02]),
        Signature("ICC profile", "application/vnd.iccprofile", at: 36, "acsp") { sample in
            guard let size = sample.start.big(0, 4) else { return false }
            return size >= 132 && sample.start.big(8, 1).isIn(1...6) && sample.start.big(128, 4).isIn(1...(size / 12))
        },
        Signature("LightWave object", "image/x-lwo", "FORM") { sample in
            ["LWO2", "LWOB", "LWO3", "LWLO"].contains { sample.start.has($0, at: 8) }
        },
        Signature("USD, binary", "model/vnd.usd", "PXR-USDC"),
        Signature("CADKEY", "application/x-prt", [0xA5, 0x0F, 0xF0, 0x5A]),
        Signature("FBX", "application/vnd.autodesk.fbx", "Kaydara FBX Binary  \u{0}"),
        Signature("3D Studio", "image/x-3ds", [0x4D, 0x4D]) { sample in
            // The main chunk fills the file, and its version comes first.
            Int64(sample.start.little(2, 4) ?? 0) == sample.content.size
                && [0x0002, 0x3D3D, 0x3DAA].contains(sample.start.little(6, 2))
        },
        Signature("MagicaVoxel", "model/vnd.magicavoxel", "VOX ") { $0.start.has("MAIN", at: 8) },
        Signature("glTF, binary", "model/gltf-binary", "glTF") { sample in
            sample.start.little(4, 4).isIn(1...2) && sample.start.little(8, 4).isIn(20...(1 << 32))
        },
        Signature("Blender", "application/x-blender", "BLENDER") { sample in
            guard let width = sample.start.little(7, 1), let order = sample.start.little(8, 1) else { return false }
            // Since version 5.0, the size of the header comes first, in two digits.
            return width == 0x5F || width == 0x2D ? order == 0x76 || order == 0x56 : sample.start.has("17-", at: 7)
        },
    ]

    /// A record follows the header, and its size in words is plausible.
    private static func isMeta(_ sample: Sample) -> Bool {
        guard let record = sample.start.little(18, 4) else { return false }
        return record >= 3 && Int64(record) * 2 <= sample.content.size && sample.start.little(16, 2) == 0
    }

    /// BEGIN METAFILE (class 0, element 1) with its name, then METAFILE VERSION (class 1, element 1) of two bytes.
    private static func isMetafile(_ start: [UInt8]) -> Bool {
        guard let command = start.big(0, 2), command >> 5 == 1 else { return false }
        let isLong = command & 31 == 31
        guard let length = isLong ? start.big(2, 2) : command & 31, length < 1 << 15, length > 0 else { return false }
        let head = isLong ? 4 : 2
        guard let name = start.big(head, 1), name == 255 || name <= length else { return false }
        return start.big(head + length + length % 2, 2) == 0x1022
    }
}
