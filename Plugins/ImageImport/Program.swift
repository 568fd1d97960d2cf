/// The sink; with `pixels WIDTH HEIGHT` as its arguments, the decoder of thumbnails instead.
@main enum Program {
    static func main() {
        if PixelDecoder.isWanted { PixelDecoder.main() } else { ImageImport.main() }
    }
}
