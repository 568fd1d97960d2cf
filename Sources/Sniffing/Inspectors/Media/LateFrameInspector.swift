internal import Formats
internal import ShareModel

/// Recognizes MPEG audio and AAC after unrecognized bytes. Players search for the first consecutive frames in the same
/// way. The syncword of ISO 11172-3, 2.4.2.3, can be a coincidence, so this inspector needs more frames. It also
/// recognizes MXF after its run-in (SMPTE 377-1, 5.5).
struct LateFrameInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = AudioFrameChain.types.union(["application/mxf"])
    let isLastResort = true

    private static let frameCount = 6
    private static let partition: [UInt8] = [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02]

    func inspect(_ sample: Sample) throws -> Finding? {
        let head = try sample.head()
        if let place = ByteSearch.first(Self.partition, in: head[...]) {
            return Finding("application/mxf", Evidence("MXF", "partition after a run-in", at: Int64(place)))
        }
        guard let place = AudioFrameChain.search(head, count: Self.frameCount) else { return nil }
        var finding = AudioFrameChain(Array(head[place...]), isWhole: false)?.finding(at: place)
        // What comes before is unknown.
        finding?.confidence = .likely
        return finding
    }
}
