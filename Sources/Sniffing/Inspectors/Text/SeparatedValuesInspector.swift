internal import Formats
internal import ShareModel

/// Recognizes tables by their structure: records with equal numbers of fields, separated by commas (RFC 4180, section
/// 2) or tabs (the IANA registration of text/tab-separated-values).
///
/// Ordinary text can have a few such rows or columns, so a small table needs a matching file name. The same holds for
/// semicolons. It also holds for commas that are always followed by a blank, if no field is a number, because lists and
/// verse have those.
struct SeparatedValuesInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["text/csv", "text/tab-separated-values"]

    private static let fewestFields = 3
    private static let fewestRecords = 3
    /// The part that is read, in bytes.
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

    /// The number of records and fields; `nil` if the records differ. An incomplete record at the end does not count.
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
        /// The window ends in this row.
        var isCut = false
        /// The row starts or ends like a line of a list in source code, or is indented.
        var isLoose = false
        /// The last field is empty, as in a list in source code. The last field of a table's header is not empty.
        var isOpen = false
        /// A separator is not followed by a blank.
        var isTight = false
        /// A field starts like a number.
        var hasNumber = false

        private var isBlank = true

        /// Records the traits of a byte outside of quotes.
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

        /// Moves past the end of a quoted field. Two quotes stand for one.
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
