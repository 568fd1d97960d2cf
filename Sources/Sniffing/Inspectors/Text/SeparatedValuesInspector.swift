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
        let isCut = !text.isWhole || text.bytes.count > Self.window
        return text.bytes.withUnsafeBufferPointer { bytes in
            Self.table(UnsafeBufferPointer(rebasing: bytes.prefix(Self.window)), isCut: isCut, sample)
        }
    }

    private static func table(_ head: UnsafeBufferPointer<UInt8>, isCut: Bool, _ sample: Sample) -> Finding? {
        let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
        for (byte, type): (UInt8, MediaType) in [(0x09, "text/tab-separated-values"), (0x2C, "text/csv")] {
            guard line.count(where: { $0 == byte }) >= fewestFields - 1 else { continue }
            guard let table = records(head, byte, isCut) else { continue }
            // A table of tabs is also what a program saves as text.
            if byte == 0x09 { sample.possible = [.plainText] }
            return Finding(type, Evidence("table", "\(table.records) records of \(table.fields) fields"), .likely)
        }
        return nil
    }

    /// The number of records and fields; `nil` if the records differ. An incomplete record at the end does not count.
    private static func records(
        _ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8, _ isCut: Bool
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
    }

    private struct Rows {
        let bytes: UnsafeBufferPointer<UInt8>
        let separator: UInt8
        var index = 0

        /// The next row; `nil` at the end.
        mutating func next() -> Row? {
            guard index < bytes.count else { return nil }
            var row = Row()
            let first = bytes[index]
            row.isLoose = first <= 0x20 || first == separator || Self.isOneOf(first, "{}()[];")
            while noteStart(&row), moveToEnd() {
                if bytes[index] == separator {
                    row.fields += 1
                    index += 1
                    continue
                }
                // The row has a byte before its end, or is empty.
                let last = index > 0 ? bytes[index - 1] : 0
                row.isLoose = row.isLoose || Self.isOneOf(last, "{};(")
                row.isOpen = row.fields > 1 && last == separator
                if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                index += 1
                return row
            }
            row.isCut = true
            return row
        }

        /// Notes the traits of a field's start, and moves past its quotes; `false` if the window ends before.
        private mutating func noteStart(_ row: inout Row) -> Bool {
            guard index < bytes.count else { return false }
            let first = bytes[index]
            if row.fields > 1, first != 0x20, first != 0x0A, first != 0x0D { row.isTight = true }
            if first == UInt8(ascii: "\""), separator == 0x2C {
                index += 1
                return moveBehindQuotes()
            }
            while index < bytes.count, bytes[index] == 0x20 { index += 1 }
            guard index < bytes.count else { return false }
            if bytes[index].isDigit || Self.isOneOf(bytes[index], "+-.") { row.hasNumber = true }
            return true
        }

        /// Moves to the end of a field; `false` if the window ends before.
        private mutating func moveToEnd() -> Bool {
            while index < bytes.count, bytes[index] != separator, bytes[index] != 0x0A, bytes[index] != 0x0D {
                index += 1
            }
            return index < bytes.count
        }

        /// Moves past the end of a quoted field. Two quotes stand for one.
        private mutating func moveBehindQuotes() -> Bool {
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                guard byte == UInt8(ascii: "\"") else { continue }
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return true }
                index += 1
            }
            return false
        }

        private static func isOneOf(_ byte: UInt8, _ set: StaticString) -> Bool {
            (0..<set.utf8CodeUnitCount).contains { set.utf8Start[$0] == byte }
        }
    }
}
