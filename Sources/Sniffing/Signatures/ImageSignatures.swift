internal import ShareModel

/// Images: PNG (ISO 15948, 5.2 and 11.2.2), GIF (89a, section 17).
enum ImageSignatures {
    static let all: [Signature] = [
        Signature("PNG", "image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { sample in
            sample.start.big(8, 4) == 13 && sample.start.has("IHDR", at: 12)
        },
        Signature("GIF", "image/gif", "GIF8") { sample in
            (sample.start.has("7a", at: 4) || sample.start.has("9a", at: 4)) && sample.start.count >= 13
        },
    ]
}
