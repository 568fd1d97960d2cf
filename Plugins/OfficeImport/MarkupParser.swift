import CXML

/// Receives the elements and characters of a part. Names are without their prefixes.
protocol MarkupHandler: AnyObject {
    func start(_ name: String, _ attributes: MarkupAttributes)
    func end(_ name: String)
    func characters(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// The attributes of one element, which exist only during the call.
struct MarkupAttributes {
    /// Libxml2's array: name, prefix, namespace, start and end of the value.
    fileprivate let pointer: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    fileprivate let count: Int

    /// The value of the attribute with this name, whatever its prefix is.
    subscript(_ name: String) -> String? { value { local, _ in local == name } }

    /// The identifier of a relationship, `r:id`. An element may have another attribute `id`.
    var relationship: String? { value { local, hasPrefix in local == "id" && hasPrefix } }

    private func value(_ matches: (String, Bool) -> Bool) -> String? {
        guard let pointer else { return nil }
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
final class MarkupParser {
    /// The largest depth of elements. Documents of office programs have about 30 levels.
    static let maximumDepth = 256

    private let context: xmlParserCtxtPtr
    private let isHTML: Bool
    private let handler: any MarkupHandler
    private var depth = 0
    /// Why the part was not read to its end.
    private(set) var problem: String?

    /// - Parameter html: whether libxml2's parser of HTML reads it, which accepts faults and the names of HTML's
    ///   characters; otherwise that of XML.
    init?(_ handler: any MarkupHandler, html: Bool = false) {
        var sax = xmlSAXHandler()
        // Entities have no handlers, so the parser expands none: not those of a nested bomb, and no file's.
        sax.initialized = html ? 1 : XML_SAX2_MAGIC
        sax.characters = { MarkupParser.of($0)?.characters($1, $2) }
        sax.cdataBlock = sax.characters
        sax.ignorableWhitespace = sax.characters
        if html {
            sax.startElement = { context, name, _ in
                MarkupParser.of(context)?.start(name, MarkupAttributes(pointer: nil, count: 0))
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
            htmlCtxtUseOptions(context, Int32(bitPattern: HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue))
        } else {
            xmlCtxtUseOptions(context, Int32(bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue))
        }
    }

    deinit {
        if let document = context.pointee.myDoc { xmlFreeDoc(document) }
        if isHTML { htmlFreeParserCtxt(context) } else { xmlFreeParserCtxt(context) }
    }

    /// Parses the next bytes. After a ``problem``, does nothing.
    func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) {
        guard problem == nil else { return }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        if isHTML {
            htmlParseChunk(context, start, Int32(bytes.count), isLast ? 1 : 0)
        } else {
            xmlParseChunk(context, start, Int32(bytes.count), isLast ? 1 : 0)
            if isLast, problem == nil, context.pointee.wellFormed == 0 { problem = "its XML is broken" }
        }
    }

    func finish() {
        parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func start(_ name: UnsafePointer<xmlChar>?, _ attributes: MarkupAttributes) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            problem = "its elements are nested more than \(Self.maximumDepth) deep"
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
