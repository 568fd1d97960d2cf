/// Recognizes streams without a file header: units with start codes (H.264 and H.265, annex B), and packets of equal
/// size with a sync byte (ISO 13818-1, 2.4.3.2).
enum ByteStream {
    /// The number of consecutive packets that must start with the sync byte. In shorter content, all packets must.
    private static let packetCount = 5
    /// The smallest number of packets; fewer can be a coincidence.
    private static let packetMinimum = 3
    /// The profiles of H.264, table A.
    private static let profiles: Set<Int> = [44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 134, 138, 139, 244]
    /// The offset of the parameters after an access unit delimiter, which has two bytes. A start code precedes them.
    private static let delimiterSize = 2

    /// Whether there is a sequence parameter set with a valid profile and level, perhaps after an access unit
    /// delimiter.
    static func isH264(_ start: [UInt8], at place: Int) -> Bool {
        guard let unit = start.big(place, 1) else { return false }
        if unit == 9, let next = afterCode(start, place + delimiterSize) { return isParameterSet(start, next) }
        return isParameterSet(start, place)
    }

    /// Whether there is a video parameter set of the first layer, perhaps after an access unit delimiter.
    static func isH265(_ start: [UInt8], at place: Int) -> Bool {
        guard let unit = start.big(place, 2) else { return false }
        if unit == 0x4601, let next = afterCode(start, place + delimiterSize + 1) { return isVideoSet(start, next) }
        return isVideoSet(start, place)
    }

    private static func isParameterSet(_ start: [UInt8], _ place: Int) -> Bool {
        // H.264, 7.4.1: `nal_ref_idc` of a parameter set is not 0.
        guard let unit = start.big(place, 1), unit & 0x9F == 7, unit & 0x60 != 0, let profile = start.big(place + 1, 1),
            let flags = start.big(place + 2, 1), let level = start.big(place + 3, 1)
        else { return false }
        return profiles.contains(profile) && flags & 3 == 0 && (9...62).contains(level)
    }

    /// Checks `vps_base_layer_internal_flag`, `vps_base_layer_available_flag`, and the reserved 0xFFFF.
    private static func isVideoSet(_ start: [UInt8], _ place: Int) -> Bool {
        guard start.big(place, 2) == 0x4001, let flags = start.big(place + 2, 1) else { return false }
        return flags & 0x0C == 0x0C && start.big(place + 4, 2) == 0xFFFF
    }

    private static func afterCode(_ start: [UInt8], _ place: Int) -> Int? {
        if start.big(place, 4) == 1 { return place + 4 }
        return start.big(place, 3) == 1 ? place + 3 : nil
    }

    /// Whether packets of this size start with the sync byte, and have a payload or an adaptation field.
    ///
    /// Lists with lines of equal length could match by coincidence, so the bytes must not look like text.
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
