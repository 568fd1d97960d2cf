internal import ShareModel

/// Raw images of cameras that are not plain TIFF. None has a public specification; LibRaw and Exiv2 describe the
/// headers. The best known are CRW (CIFF 1.0, 2.1), X3F (Foveon's, 1.03) and CR2 (TIFF with `CR` at 8).
enum CameraSignatures {
    static let all: [Signature] = [
        Signature("CR2", "image/x-canon-cr2", [0x49, 0x49, 0x2A, 0x00, 0x10, 0, 0, 0, 0x43, 0x52]),
        Signature("CR2", "image/x-canon-cr2", [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 0x10, 0x43, 0x52]),
        Signature("CRW", "image/x-canon-crw", at: 6, "HEAPCCDR"),
        Signature("RAF", "image/x-fuji-raf", "FUJIFILMCCD-RAW ", isText: true),
        Signature("MRW", "image/x-minolta-mrw", [0x00, 0x4D, 0x52, 0x4D]) { $0.start.has("\u{0}PRD", at: 8) },
        Signature("ORF", "image/x-olympus-orf", "IIRO") { $0.start.little(4, 4).isIn(8...(1 << 20)) },
        Signature("ORF", "image/x-olympus-orf", "IIRS") { $0.start.little(4, 4).isIn(8...(1 << 20)) },
        Signature("ORF", "image/x-olympus-orf", "MMOR") { $0.start.big(4, 4).isIn(8...(1 << 20)) },
        Signature("RW2", "image/x-panasonic-rw2", [0x49, 0x49, 0x55, 0x00]) { sample in
            sample.start.little(4, 4).isIn(8...(1 << 20))
        },
        Signature("X3F", "image/x-sigma-x3f", "FOVb") { $0.start.little(4, 4).isIn(0x2_0000...0x4_FFFF) },
    ]
}
