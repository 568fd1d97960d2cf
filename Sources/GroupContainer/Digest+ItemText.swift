internal import Files
package import ShareModel

extension Digest {
    /// Whether content with this digest was composed from an item's text, and not shared as an attachment.
    ///
    /// A text that is only a URL becomes a link without the white space around it.
    package func isOfContent(from text: String) -> Bool {
        self == Digest(of: text) || self == Digest(of: text.trimmed)
    }
}
