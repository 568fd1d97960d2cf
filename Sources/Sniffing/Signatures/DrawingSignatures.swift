internal import ShareModel

/// Drawings, shapes and fonts in text form, by their first words:
/// - shapes: STEP (ISO 10303-21, 5.2), IGES 5.3 (2.2.4), STL, PLY, VRML 97 (ISO 14772), X3D (ISO 19776-2), PDB 3.3
/// - drawings: DXF (AutoCAD 2012 reference), XPM 3, XBM (X11)
/// - fonts: BDF 2.2, AFM 4.1, FontForge's SFD
enum DrawingSignatures {
    static let all: [TextSignature] = [
        TextSignature("STEP", "model/step", "ISO-10303-21;"),
        TextSignature("STL", "model/stl", "solid", ignoresCase: true) { place in
            var lines = place.lines
            _ = lines.next()
            return TextSignature.isWord(5)(place) && lines.nextFilled()?.trimmed.begins(withAnyCase: "facet ") == true
        },
        TextSignature("PLY", "model/ply", "ply", allowsBinary: true) { place in
            var lines = place.lines
            return lines.next()?.trimmed.isWord("ply") == true && lines.next()?.begins(with: "format ") == true
        },
        TextSignature("VRML", "model/vrml", "#VRML V"),
        TextSignature("FBX", "application/vnd.autodesk.fbx", "; FBX ") { $0.contains(" project file") },
        TextSignature("USD", "model/vnd.usda", "#usda ") { $0.rest.dropFirst(6).first?.isDigit == true },
        TextSignature("X3D", "model/x3d+vrml", "#X3D V3."),
        TextSignature("DXF", "image/vnd.dxf", "0", where: TextGrammar.isDXF),
        TextSignature("DXF", "image/vnd.dxf", "999", where: TextGrammar.isDXF),
        TextSignature("XPM", "image/x-xpixmap", "/* XPM */"),
        TextSignature("XPM", "image/x-xpixmap", "! XPM2"),
        TextSignature("XBM", "image/x-xbitmap", "#define ", where: TextGrammar.isXBM),
        TextSignature("XBM", "image/x-xbitmap", "/*", where: TextGrammar.isXBM),
        TextSignature("BDF", "application/x-font-bdf", "STARTFONT 2."),
        TextSignature("AFM", "application/x-font-afm", "StartFontMetrics "),
        TextSignature("SFD", "application/vnd.font-fontforge-sfd", "SplineFontDB: "),
        TextSignature("PDB", "chemical/x-pdb", "HEADER    ") { place in
            place.contains("\nTITLE ") || place.contains("\nCOMPND ") || place.contains("\nATOM ")
        },
    ]
}
