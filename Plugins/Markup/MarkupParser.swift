internal import CXML

/// Receives the elements and characters of a part. Names are without their prefixes.
public protocol MarkupHandler: AnyObject {
    /// An element begins.
    func start(_ name: String, _ attributes: MarkupAttributes)
    /// An element ends.
    func end(_ name: String)
    /// Text in UTF-8; one text may come in several pieces.
    func characters(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// The attributes of one element, which exist only during the call.
public struct MarkupAttributes {
    /// Libxml2's array. In XML, it has name, prefix, namespace, start and end of the value for each attribute; in HTML,
    /// name and value.
    fileprivate let pointer: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    /// The number of attributes in XML; `nil` in HTML, where an attribute without a name ends the array.
    fileprivate let count: Int?

    /// The value of the attribute with this name, whatever its prefix is.
    public subscript(_ name: String) -> String? { value { local, _ in local == name } }

    /// The identifier of a relationship, `r:id`. An element may have another attribute `id`.
    public var relationship: String? { value { local, hasPrefix in local == "id" && hasPrefix } }

    private func value(_ matches: (String, Bool) -> Bool) -> String? {
        guard let pointer else { return nil }
        guard let count else {
            var entry = pointer
            while let name = entry[0] {
                if matches(String(cString: name), false) { return entry[1].map { String(cString: $0) } ?? "" }
                entry += 2
            }
            return nil
        }
        for index in 0..<count {
            let entry = pointer + index * 5
            guard let name = entry[0], matches(String(cString: name), entry[1] != nil), let start = entry[3],
                let end = entry[4]
            else { continue }
            return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
        }
        return nil
    }
}

/// Parses a part as it comes, with libxml2: no tree, no entities besides the five of XML, no network.
public final class MarkupParser {
    /// The largest depth of elements. Documents of office programs have about 30 levels.
    public static let maximumDepth = 256
    /// The same for pages of HTML, where an element that nothing closes contains the rest of the page.
    public static let maximumPageDepth = 4_096

    private let context: xmlParserCtxtPtr
    private let isHTML: Bool
    private let handler: any MarkupHandler
    private var depth = 0
    /// Why the part was not read to its end.
    public private(set) var problem: String?

    /// - Parameter html: whether libxml2's parser of HTML reads it, which accepts faults and the names of HTML's
    ///   characters; otherwise that of XML.
    /// - Parameter isUTF8: whether the bytes of a page are UTF-8 whatever it states.
    public init?(_ handler: any MarkupHandler, html: Bool = false, isUTF8: Bool = false) {
        var sax = xmlSAXHandler()
        // Entities have no handlers, so the parser expands none: not those of a nested bomb, and no file's.
        sax.initialized = html ? 1 : XML_SAX2_MAGIC
        sax.characters = { MarkupParser.of($0)?.characters($1, $2) }
        sax.cdataBlock = sax.characters
        sax.ignorableWhitespace = sax.characters
        if html {
            sax.startElement = { context, name, attributes in
                MarkupParser.of(context)?.start(name, MarkupAttributes(pointer: attributes, count: nil))
            }
            sax.endElement = { MarkupParser.of($0)?.end($1) }
        } else {
            sax.startElementNs = { context, name, _, _, _, _, count, _, attributes in
                MarkupParser.of(context)?.start(name, MarkupAttributes(pointer: attributes, count: Int(count)))
            }
            sax.endElementNs = { context, name, _, _ in MarkupParser.of(context)?.end(name) }
        }
        let created =
            html
            ? htmlCreatePushParserCtxt(&sax, nil, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
            : xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil)
        guard let created else { return nil }
        context = created
        isHTML = html
        self.handler = handler
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        if html {
            var options = HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue
            if isUTF8 { options |= HTML_PARSE_IGNORE_ENC.rawValue }
            htmlCtxtUseOptions(context, Int32(bitPattern: options))
        } else {
            xmlCtxtUseOptions(context, Int32(bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue))
        }
    }

    deinit {
        if let document = context.pointee.myDoc { xmlFreeDoc(document) }
        if isHTML { htmlFreeParserCtxt(context) } else { xmlFreeParserCtxt(context) }
    }

    /// Parses the next bytes. After a ``problem``, does nothing.
    public func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) {
        guard problem == nil else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        if isHTML {
            htmlParseChunk(context, start, Int32(bytes.count), isLast ? 1 : 0)
        } else {
            xmlParseChunk(context, start, Int32(bytes.count), isLast ? 1 : 0)
            if isLast, problem == nil, context.pointee.wellFormed == 0 { problem = "its XML is broken" }
        }
    }

    /// Reads no further, from within a call of the handler.
    public func stop() { xmlStopParser(context) }

    /// Ends the part.
    public func finish() {
        parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func start(_ name: UnsafePointer<xmlChar>?, _ attributes: MarkupAttributes) {
        depth += 1
        let most = isHTML ? Self.maximumPageDepth : Self.maximumDepth
        guard depth <= most else {
            problem = "its elements are nested more than \(most) deep"
            return xmlStopParser(context)
        }
        if let name { handler.start(String(cString: name), attributes) }
    }

    private func end(_ name: UnsafePointer<xmlChar>?) {
        depth -= 1
        if problem == nil, let name { handler.end(String(cString: name)) }
    }

    private func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
        if problem == nil { handler.characters(UnsafeBufferPointer(start: bytes, count: Int(count))) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MarkupParser? {
        context.map { Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
    }
}
