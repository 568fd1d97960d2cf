import Markup
import SinkTools

/// Collects the text of one part of OOXML: a document, a slide or a sheet.
final class OfficeText: MarkupHandler {
    /// The longest value of a cell, in bytes. Excel allows 32,767 characters.
    private static let maximumValue = 131_072

    private(set) var text = ProductText()

    private let isSheet: Bool
    private let shared: SharedStrings
    private let styles: CellStyles
    /// The depth of open elements whose content is not shown: the second form of a drawing, definitions of tabs.
    private var hidden = 0
    /// The depth of open elements whose characters are text.
    private var open = 0
    private var isShared = false
    private var inValue = false
    /// The style of a cell with a number.
    private var style: Int?
    private var value: [UInt8] = []

    init(_ part: OfficePart, shared: SharedStrings, styles: CellStyles) {
        isSheet = part == .sheet
        self.shared = shared
        self.styles = styles
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        switch name {
        case "Fallback", "tabs": hidden += 1
        case "t": open += 1
        case "v" where isSheet:
            open += 1
            inValue = true
            value = []
        case "c" where isSheet:
            let type = attributes["t"] ?? "n"
            isShared = type == "s"
            style = type == "n" ? attributes["s"].flatMap { Int($0) } : nil
        case "tab" where hidden == 0: text.tab()
        case "cr" where hidden == 0: text.endLine()
        case "br" where hidden == 0: attributes["type"] == "page" ? text.endPage() : text.endLine()
        case "lastRenderedPageBreak": text.endPage()
        case "noBreakHyphen": text.append("-")
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "Fallback", "tabs": hidden -= 1
        case "t": open -= 1
        case "v" where isSheet:
            open -= 1
            inValue = false
            if isShared {
                text.append(Array(shared[value]))
            } else if let date = style.flatMap({ styles.date(value, style: $0) }) {
                text.append(date)
            } else {
                text.append(value)
            }
        case "c" where isSheet: text.tab()
        case "row" where isSheet: text.endLine()
        case "p": text.endLine()
        case "tc": text.endCell()
        case "tr": text.endLine()
        default: break
        }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard open > 0, hidden == 0 else { return }
        // A value may arrive in pieces, and may be a number of a shared string. So it waits for its end.
        if inValue { value += bytes.prefix(max(0, Self.maximumValue - value.count)) } else { text.append(bytes) }
    }
}

/// The strings that the cells of a workbook share.
final class SharedStrings: MarkupHandler {
    /// The largest length of all shared strings, in bytes.
    static let maximumBytes = 64 << 20
    /// The largest number of shared strings.
    static let maximumCount = 4_000_000

    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var isOpen = false
    private var isPhonetic = false

    /// The string with the number in decimal digits.
    subscript(_ digits: [UInt8]) -> ArraySlice<UInt8> {
        guard let number = Int(String(decoding: digits, as: UTF8.self)), ends.indices.contains(number) else {
            return []
        }
        return bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if name == "t" { isOpen = true }
        if name == "rPh" { isPhonetic = true }
    }

    func end(_ name: String) {
        if name == "t" { isOpen = false }
        if name == "rPh" { isPhonetic = false }
        if name == "si", ends.count < Self.maximumCount { ends.append(bytes.count) }
    }

    func characters(_ text: UnsafeBufferPointer<UInt8>) {
        guard isOpen, !isPhonetic, bytes.count + text.count <= Self.maximumBytes else { return }
        bytes += text
    }
}
