/// Counts the HTML tags in the beginning of a text.
struct HTMLTags {
    /// The start tags and end tags of HTML elements.
    private(set) var starts = 0
    private(set) var ends = 0
    /// The start tags of elements that only documents have: `html`, `head`, `body`.
    private(set) var documents = 0
    /// The number of bytes in tags, and in total, without white space.
    private(set) var tagged = 0
    private(set) var filled = 0

    /// Whether at least a fifth of the text is in tags.
    var isMostly: Bool { starts + ends > 0 && tagged * 5 >= filled }

    /// The elements of HTML (WHATWG HTML, section 4, and section 16.2 for obsolete ones), in lower case.
    private static let names: Set<[UInt8]> = Set(
        """
        a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br \
        button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em \
        embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html \
        i iframe img input ins kbd label legend li link main map mark marquee menu meta meter nav nobr noframes \
        noscript object ol optgroup option output p param picture pre progress q s samp script section select slot \
        small source span strike strong style sub summary sup table tbody td template textarea tfoot th thead time \
        title tr track tt u ul var video wbr
        """.split(separator: " ").map { Array($0.utf8) })
    /// A text that starts with one of these elements is a page.
    private static let pages: Set<[UInt8]> = Set(
        ["html", "head", "body", "title", "script", "style", "frameset", "meta", "base", "iframe", "noscript"].map {
            Array($0.utf8)
        })
    private static let rawText: Set<[UInt8]> = Set(["style", "script"].map { Array($0.utf8) })
    private static let frames: Set<[UInt8]> = Set(["html", "head", "body"].map { Array($0.utf8) })

    private static let nameLimit = 10
    private static let tagLimit = 1 << 10

    /// The kind of the first tag of a text.
    enum Opening { case none, page, element }

    /// The kind of the tag at this offset.
    static func opening(_ bytes: [UInt8], at offset: Int) -> Opening {
        let slice = bytes[min(offset, bytes.count)...]
        if slice.begins(withAnyCase: "<!doctype html") { return isEnd(slice.dropFirst(14).first) ? .page : .none }
        if slice.begins(withAnyCase: "<!doctype netscape-bookmark-file-1>") { return .page }
        guard slice.first == UInt8(ascii: "<"), let name = name(slice.dropFirst()) else { return .none }
        if pages.contains(name) { return .page }
        return names.contains(name) ? .element : .none
    }

    /// Counts the tags in the bytes.
    ///
    /// - Parameter skipsRawText: whether style sheets and scripts do not count (WHATWG HTML, section 13.1.2).
    init(_ bytes: ArraySlice<UInt8>, skipsRawText: Bool = false) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "<"), let tag = count(bytes[index...]) else {
                if bytes[index] > 0x20 { filled &+= 1 }
                index &+= 1
                continue
            }
            tagged &+= tag.end - index
            filled &+= tag.end - index
            index = tag.end
            if skipsRawText, tag.beginsRawText { index = Self.endOfRawText(bytes, from: index) }
        }
    }

    private static func endOfRawText(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        bytes[start...].indices.first { index in
            guard bytes[index] == UInt8(ascii: "<") else { return false }
            let rest = bytes[index...]
            return rest.begins(withAnyCase: "</style") || rest.begins(withAnyCase: "</script")
        } ?? bytes.endIndex
    }

    /// Counts the tag at the beginning of `bytes`, and returns its end.
    private mutating func count(_ bytes: ArraySlice<UInt8>) -> (end: Int, beginsRawText: Bool)? {
        let isEnd = bytes.dropFirst().first == UInt8(ascii: "/")
        guard let name = Self.name(bytes.dropFirst(isEnd ? 2 : 1)), Self.names.contains(name),
            let end = bytes.prefix(Self.tagLimit).firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        if isEnd {
            ends &+= 1
        } else {
            starts &+= 1
            if Self.frames.contains(name) { documents &+= 1 }
        }
        return (end + 1, !isEnd && Self.rawText.contains(name))
    }

    /// The name of a tag, in lower case. White space, a slash or the end of the tag must follow it.
    private static func name(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.first?.isLetter == true else { return nil }
        let name = bytes.prefix(nameLimit + 1).prefix { $0.isLetter || $0.isDigit }
        guard name.count <= nameLimit, isEnd(bytes.dropFirst(name.count).first) else { return nil }
        return name.map(\.lowercased)
    }

    private static func isEnd(_ byte: UInt8?) -> Bool {
        byte.map { $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") } ?? false
    }
}
