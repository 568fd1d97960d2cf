/// The name of the program that wrote a compound file, from its summary: [MS-OLEPS] 2.21 (the stream), 2.20 (the list
/// of properties), 2.5 (strings), and property 18 of [MS-OSHARED] 2.3.3.2.1.
package enum OLESummary {
    private static let stream = "\u{5}SummaryInformation"
    /// The part of the stream that is read, in bytes. The name of the program is near the beginning.
    private static let window = 4 << 10
    private static let propertyLimit = 64
    private static let programName = 18
    private static let stringType = 0x1E
    private static let nameLimit = 128

    /// The name up to its first character outside of ASCII; `nil` if there is none.
    ///
    /// - Throws: an error if the content cannot be read.
    package static func program(_ directory: OLEDirectory, _ content: ContentBytes) throws -> String? {
        let bytes = try directory.start(of: stream, in: content, count: window)
        guard bytes.little(0, 2) == 0xFFFE, let section = bytes.little(44, 4), let count = bytes.little(section + 4, 4)
        else { return nil }
        for index in 0..<min(count, propertyLimit) {
            let place = section + 8 + index * 8
            guard bytes.little(place, 4) == programName, let offset = bytes.little(place + 4, 4) else { continue }
            let value = section + offset
            guard bytes.little(value, 4) == stringType, let length = bytes.little(value + 4, 4),
                value + 8 <= bytes.count
            else { return nil }
            let text = bytes[(value + 8)...].prefix(min(length, nameLimit)).prefix { (0x20..<0x7F).contains($0) }
            return String(decoding: text, as: UTF8.self)
        }
        return nil
    }
}
