import SinkTools

/// Reads the text and the properties of RTF.
///
/// Debian has no library for it, only programs that write HTML or plain text (unrtf, catdoc) and have no limits. Text
/// needs a few of RTF's control words; all others have no effect here.
struct RTFReader {
    /// The first bytes of RTF.
    static let signature = Array("{\\rtf".utf8)
    /// The longest part of a file that is read, in bytes.
    static let maximumBytes = 64 << 20
    /// The largest depth of groups.
    static let maximumDepth = 500
    /// The largest number of fonts whose character sets are kept.
    private static let maximumFonts = 4_096

    /// What a group inherits from the one around it.
    private struct State {
        var target: Target = .text
        var font = 0
        /// The number of characters that replace a Unicode character, for readers that do not know it.
        var substitutes = 1
    }

    private enum Target: Equatable {
        case text, nothing, fonts, information
        case property(String)
        case time(String)
    }

    private var states = [State()]
    private var document = Document()
    private let properties = DocumentProperties()
    private var property = ProductText()
    private var time: [String: Int] = [:]
    private var codePage = 1252
    private var fonts: [Int: Int] = [:]
    private var defaultFont = 0
    /// Bytes of the current code page that wait for their end, because a character may have two of them.
    private var waiting: [UInt8] = []
    private var high: UInt16?
    private var skip = 0

    private var state: State {
        get { states[states.count - 1] }
        set { states[states.count - 1] = newValue }
    }

    mutating func read(_ bytes: [UInt8]) -> Document {
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "{"):
                flush()
                guard states.count < Self.maximumDepth else {
                    document.damage("its groups are nested more than \(Self.maximumDepth) deep")
                    return finish()
                }
                states.append(state)
                skip = 0
                at += 1
            case UInt8(ascii: "}"):
                close()
                at += 1
            case UInt8(ascii: "\\"): at = control(bytes, at + 1)
            case 0x0A, 0x0D, 0: at += 1
            default:
                character(bytes[at])
                at += 1
            }
        }
        if states.count > 1 { document.damage("its end is missing") }
        return finish()
    }

    private mutating func finish() -> Document {
        flush()
        document.findings = properties.findings()
        return document
    }

    private mutating func close() {
        flush()
        guard states.count > 1 else { return }
        let ended = states.removeLast().target
        guard ended != state.target else { return }
        switch ended {
        case .property(let name):
            if let text = property.finished { properties.add(name, text) }
        case .time(let name):
            let parts = [("yr", "", 4), ("mo", "-", 2), ("dy", "-", 2), ("hr", "T", 2), ("min", ":", 2)]
            let known = parts.prefix { (time[$0.0] ?? 0) > 0 || ["hr", "min"].contains($0.0) }
            guard known.count > 0 else { return }
            let text = known.map { name, before, width in
                let digits = String(time[name] ?? 0)
                return before + String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            properties.add(name, (known.count < 5 ? Array(text.prefix(3)) : text).joined())
        default: break
        }
    }

    /// Reads a control word or symbol, and returns the place of the next byte.
    private mutating func control(_ bytes: [UInt8], _ start: Int) -> Int {
        guard start < bytes.count else { return start }
        var at = start
        while at < bytes.count, at - start < 32, bytes[at] | 0x20 >= 0x61, bytes[at] | 0x20 <= 0x7A { at += 1 }
        if at == start { return symbol(bytes, start) }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        let digits = at
        if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
        while at < bytes.count, at - digits < 11, (0x30...0x39).contains(bytes[at]) { at += 1 }
        let number = Int(String(decoding: bytes[digits..<at], as: UTF8.self))
        if at < bytes.count, bytes[at] == 0x20 { at += 1 }
        if word == "bin" { return min(bytes.count, at + max(0, min(number ?? 0, bytes.count))) }
        apply(word, number)
        return at
    }

    private mutating func symbol(_ bytes: [UInt8], _ at: Int) -> Int {
        switch bytes[at] {
        case UInt8(ascii: "'"):
            if let byte = UInt8(String(decoding: bytes[(at + 1)...].prefix(2), as: UTF8.self), radix: 16) {
                character(byte)
            }
            return min(bytes.count, at + 3)
        case UInt8(ascii: "*"): state.target = state.target == .fonts ? .fonts : .nothing
        case UInt8(ascii: "~"): character(0x20)
        case UInt8(ascii: "_"): character(UInt8(ascii: "-"))
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"): character(bytes[at])
        case 0x0A, 0x0D: write { $0.endLine() }
        default: break
        }
        return at + 1
    }

    private mutating func apply(_ word: String, _ number: Int?) {
        switch word {
        case "par", "line", "row", "sect": write { $0.endLine() }
        case "page", "pagebb": write { $0.endPage() }
        case "tab": write { $0.tab() }
        case "cell", "nestcell": write { $0.endCell() }
        case "u":
            flushBytes()
            unicode(UInt16(truncatingIfNeeded: number ?? 0))
            skip = state.substitutes
        case "uc": state.substitutes = min(max(number ?? 1, 0), 16)
        case "f":
            flush()
            state.font = number ?? 0
        case "plain":
            flush()
            state.font = defaultFont
        case "deff": defaultFont = number ?? 0
        case "fcharset" where state.target == .fonts && fonts.count < Self.maximumFonts:
            fonts[state.font] = number
        case "ansicpg": codePage = number ?? 1252
        case "mac": codePage = 10_000
        case "pc": codePage = 437
        case "pca": codePage = 850
        case "lquote", "rquote": write { $0.append("'") }
        case "ldblquote", "rdblquote": write { $0.append("\"") }
        case "endash", "emdash": write { $0.append(" – ") }
        case "bullet": write { $0.append("• ") }
        case "yr", "mo", "dy", "hr", "min":
            if case .time = state.target { time[word] = number }
        default: destination(word)
        }
    }

    private mutating func destination(_ word: String) {
        let next: Target
        switch word {
        case "fonttbl": next = .fonts
        case "info": next = .information
        case "title" where state.target == .information: next = .property("title")
        case "author" where state.target == .information: next = .property("creator")
        case "subject" where state.target == .information: next = .property("subject")
        case "keywords" where state.target == .information: next = .property("keywords")
        case "doccomm" where state.target == .information: next = .property("description")
        case "creatim" where state.target == .information: next = .time("created")
        case "revtim" where state.target == .information: next = .time("modified")
        case "colortbl", "stylesheet", "pict", "object", "objdata", "fldinst", "themedata", "datastore", "listtable",
            "revtbl", "filetbl", "xe", "tc", "private", "operator", "company", "nonshppict":
            next = .nothing
        default: return
        }
        flush()
        guard state.target != .nothing else { return }
        state.target = state.target == .information && next == .nothing ? .nothing : next
        property = ProductText()
        time = [:]
    }

    private mutating func character(_ byte: UInt8) {
        if skip > 0 {
            skip -= 1
        } else if waiting.count < 1 << 16 {
            waiting.append(byte)
        } else {
            flush()
            waiting.append(byte)
        }
    }

    private mutating func unicode(_ unit: UInt16) {
        defer { high = unit & 0xFC00 == 0xD800 ? unit : nil }
        if unit & 0xFC00 == 0xDC00, let high {
            write { $0.append(String(decoding: [high, unit], as: UTF16.self)) }
        } else if unit & 0xF800 != 0xD800 {
            write { $0.append(String(decoding: [unit], as: UTF16.self)) }
        }
    }

    private mutating func write(_ change: (inout ProductText) -> Void) {
        flushBytes()
        switch state.target {
        case .text: change(&document.text)
        case .property: change(&property)
        default: break
        }
    }

    private mutating func flush() {
        flushBytes()
        skip = 0
    }

    private mutating func flushBytes() {
        guard !waiting.isEmpty else { return }
        let bytes = waiting
        waiting = []
        guard state.target == .text || { if case .property = state.target { true } else { false } }() else { return }
        let page = fonts[state.font].flatMap { RTFCodePage.byCharacterSet[$0] } ?? codePage
        let text = RTFCodePage.decode(bytes, page)
        write { $0.append(text) }
    }
}
