/// Streams without a header: units with start codes (H.264 and H.265, annex B) and packets of one size with a sync byte
/// (ISO 13818-1, 2.4.3.2).
enum ByteStream {
    /// How many packets in a row must begin with the sync byte; all of them where the content is shorter.
    private static let packetCount = 5
    /// A stream of fewer is too short to be told from chance.
    private static let packetMinimum = 3
    /// The profiles of H.264, table A.
    private static let profiles: Set<Int> = [44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 134, 138, 139, 244]
    /// How far behind an access unit delimiter the parameters begin: start code, two bytes of it.
    private static let delimiterSize = 2

    /// A sequence parameter set with a profile and a level that there are, perhaps behind an access unit delimiter.
    static func isH264(_ start: [UInt8], at place: Int) -> Bool {
        guard let unit = start.big(place, 1) else { return false }
        if unit == 9, let next = afterCode(start, place + delimiterSize) { return isParameterSet(start, next) }
        return isParameterSet(start, place)
    }

    /// A video parameter set of the first layer, perhaps behind an access unit delimiter.
    static func isH265(_ start: [UInt8], at place: Int) -> Bool {
        guard let unit = start.big(place, 2) else { return false }
        if unit == 0x4601, let next = afterCode(start, place + delimiterSize + 1) { return isVideoSet(start, next) }
        return isVideoSet(start, place)
    }

    private static func isParameterSet(_ start: [UInt8], _ place: Int) -> Bool {
        guard let unit = start.big(place, 1), unit & 0x9F == 7, unit & 0x60 != 0, let profile = start.big(place + 1, 1),
            let flags = start.big(place + 2, 1), let level = start.big(place + 3, 1)
        else { return false }
        return profiles.contains(profile) && flags & 3 == 0 && (9...62).contains(level)
    }

    /// `vps_base_layer_internal_flag`, `vps_base_layer_available_flag`, and 0xFFFF where it is reserved.
    private static func isVideoSet(_ start: [UInt8], _ place: Int) -> Bool {
        guard start.big(place, 2) == 0x4001, let flags = start.big(place + 2, 1) else { return false }
        return flags & 0x0C == 0x0C && start.big(place + 4, 2) == 0xFFFF
    }

    private static func afterCode(_ start: [UInt8], _ place: Int) -> Int? {
        if start.big(place, 4) == 1 { return place + 4 }
        return start.big(place, 3) == 1 ? place + 3 : nil
    }

    /// Whether packets of a size begin with the sync byte and have a payload or an adaptation field. Lists whose lines
    /// are of one length can pass for that, so they must not look like text.
    static func isTransport(_ sample: Sample, at first: Int, step: Int) -> Bool {
        let start = sample.start
        var count = 0
        for place in stride(from: first, to: start.count, by: step) {
            guard count < packetCount else { break }
            guard start[place] == 0x47, start.big(place + 3, 1).map({ $0 & 0x30 != 0 }) ?? true else { return false }
            count += 1
        }
        return count >= packetMinimum && start.hasControl(within: step * packetMinimum)
    }
}
