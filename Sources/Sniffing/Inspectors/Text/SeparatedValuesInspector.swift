internal import Formats
internal import ShareModel

/// Tables by their structure: records of as many fields each, which commas (RFC 4180, section 2) or tabs (the IANA
/// registration of text/tab-separated-values) separate.
///
/// Few rows or columns occur in any text, and are left to a name to say; so are semicolons, and commas with blanks
/// behind all of them, where no field is a number: lists and verse have those.
struct SeparatedValuesInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["text/csv", "text/tab-separated-values"]

    private static let fewestFields = 3
    private static let fewestRecords = 3
    /// What is looked at, in bytes.
    private static let window = 16 << 10
    private static let recordLimit = 64

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        let head = text.bytes.prefix(Self.window)
        guard let line = TextLines(text.bytes, upTo: Self.window).first(where: { _ in true }) else { return nil }
        let isCut = !text.isWhole || text.bytes.count > Self.window
        for (byte, type): (UInt8, MediaType) in [(0x09, "text/tab-separated-values"), (0x2C, "text/csv")] {
            guard line.count(where: { $0 == byte }) >= Self.fewestFields - 1 else { continue }
            guard let table = Self.records(head, byte, isCut) else { continue }
            return Finding(type, Evidence("table", "\(table.records) records of \(table.fields) fields"), .likely)
        }
        return nil
    }

    /// How many records there are, where all have as many fields; a cut one at the end does not count.
    private static func records(
        _ bytes: ArraySlice<UInt8>, _ separator: UInt8, _ isCut: Bool
    ) -> (records: Int, fields: Int)? {
        var rows = Rows(bytes: bytes, separator: separator)
        guard let first = rows.next(), first.fields >= fewestFields, !first.isLoose, !first.isOpen else { return nil }
        var count = 1
        var isTable = separator != 0x2C || first.isTight || first.hasNumber
        while count < recordLimit, let row = rows.next() {
            if row.isCut, isCut { break }
            guard row.fields == first.fields, !row.isLoose else { return nil }
            count += 1
            isTable = isTable || row.isTight || row.hasNumber
        }
        return isTable && count >= fewestRecords ? (count, first.fields) : nil
    }

    private struct Row {
        var fields = 1
        /// The end of the window is in it.
        var isCut = false
        /// It begins or ends as a line of a list in source code does, or as an indented one.
        var isLoose = false
        /// Its last field is empty. A header's is not, that of a list in source code is.
        var isOpen = false
        /// A separator has no blank behind it.
        var isTight = false
        /// A field begins as a number does.
        var hasNumber = false

        private var isBlank = true

        /// Takes note of a byte outside of quotes, and of the one before it.
        mutating func note(_ byte: UInt8, after last: UInt8, _ separator: UInt8) {
            guard byte != 0x0A, byte != 0x0D else { return }
            if last == separator, byte != 0x20 { isTight = true }
            if isBlank, byte.isDigit || "+-.".utf8.contains(byte) { hasNumber = true }
            if byte != 0x20 { isBlank = byte == separator }
        }
    }

    private struct Rows {
        let bytes: ArraySlice<UInt8>
        let separator: UInt8
        var index = 0

        mutating func next() -> Row? {
            guard index < bytes.endIndex else { return nil }
            var row = Row()
            row.isLoose = bytes[index] <= 0x20 || bytes[index] == separator || "{}()[];".utf8.contains(bytes[index])
            var isFieldStart = true
            var last: UInt8 = 0
            while index < bytes.endIndex {
                let byte = bytes[index]
                index += 1
                row.note(byte, after: last, separator)
                if byte == UInt8(ascii: "\""), isFieldStart, separator == 0x2C {
                    guard quoted() else {
                        row.isCut = true
                        return row
                    }
                } else if byte == 0x0A || byte == 0x0D {
                    if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
                    row.isLoose = row.isLoose || "{};(".utf8.contains(last)
                    row.isOpen = last == separator
                    return row
                }
                isFieldStart = byte == separator
                if isFieldStart { row.fields += 1 }
                last = byte
            }
            row.isCut = true
            return row
        }

        /// Steps behind the end of a quoted field; two quotes stand for one.
        private mutating func quoted() -> Bool {
            while index < bytes.endIndex {
                let byte = bytes[index]
                index += 1
                guard byte == UInt8(ascii: "\"") else { continue }
                guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") else { return true }
                index += 1
            }
            return false
        }
    }
}
