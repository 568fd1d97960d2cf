public import SinkTools

/// Collects the text of a page of HTML.
public final class PageText: MarkupHandler {
    /// The text up to now.
    public private(set) var text = ProductText()
    private var hidden = 0
    private var spaces = SpaceRuns()

    /// A page without text.
    public init() {}

    private static let hiding: Set<String> = ["head", "script", "style", "rp", "rt"]
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
        "mark", "q", "rb", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
        "var", "wbr",
    ]

    /// Ends the line at an element that is a block.
    public func start(_ name: String, _ attributes: MarkupAttributes) {
        if Self.hiding.contains(name) { hidden += 1 } else { separate(name) }
    }

    /// Ends the line after an element that is a block.
    public func end(_ name: String) {
        if Self.hiding.contains(name) {
            hidden = max(0, hidden - 1)
        } else if name == "td" || name == "th" {
            spaces.startLine()
        } else {
            separate(name)
        }
    }

    /// Adds text that the page shows.
    public func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hidden == 0 else { return }
        text.append(spaces.kept(bytes))
    }

    private func separate(_ name: String) {
        if name == "td" || name == "th" {
            text.tab()
            spaces.startLine()
        } else if !Self.inline.contains(name) {
            text.endLine()
            spaces.startLine()
        }
    }
}
