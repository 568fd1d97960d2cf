internal import ShareModel

/// The subject of an XML document, by the local name of its root element and the namespace of its specification.
struct XMLVocabulary: Sendable {
    let root: String
    /// The prefix of the namespace; `nil` if the vocabulary has none.
    let namespace: String?
    /// Whether the name is specific enough for a document without a namespace.
    let isPlain: Bool
    let type: MediaType

    init(_ root: String, _ namespace: String?, _ type: MediaType, plain: Bool = false) {
        self.root = root
        self.namespace = namespace
        isPlain = plain || namespace == nil
        self.type = type
    }

    /// Whether a root element with this namespace belongs to the vocabulary.
    func fits(namespace found: String?) -> Bool {
        guard let found, !found.isEmpty else { return isPlain }
        return namespace.map { found.hasPrefix($0) } ?? false
    }
}

extension XMLVocabulary {
    /// The vocabularies by the name of the root element.
    static let byRoot = Dictionary(grouping: pages + documents + data + places + programs, by: \.root)

    /// W3C: SVG 2, XHTML 1, MathML 3, SMIL 3, TTML 2, XSLT 2, XSL 1.1, RDF 1.1, OWL 2, SPARQL 1.1, SOAP 1.2, WSDL 2,
    /// SSML 1.1, VoiceXML 2.1, SRGS 1.0, XForms. Handwritten drawings often lack the namespace.
    private static let pages = [
        XMLVocabulary("svg", "http://www.w3.org/2000/svg", "image/svg+xml", plain: true),
        XMLVocabulary("html", "http://www.w3.org/1999/xhtml", "application/xhtml+xml"),
        XMLVocabulary("math", "http://www.w3.org/1998/Math/MathML", "application/mathml+xml"),
        XMLVocabulary("smil", "http://www.w3.org/", "application/smil+xml", plain: true),
        XMLVocabulary("tt", "http://www.w3.org/", "application/ttml+xml"),
        XMLVocabulary("stylesheet", "http://www.w3.org/1999/XSL/Transform", "application/xslt+xml"),
        XMLVocabulary("transform", "http://www.w3.org/1999/XSL/Transform", "application/xslt+xml"),
        XMLVocabulary("root", "http://www.w3.org/1999/XSL/Format", "text/x-xslfo"),
        XMLVocabulary("RDF", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "application/rdf+xml"),
        XMLVocabulary("xmpmeta", "adobe:ns:meta/", "application/rdf+xml"),
        XMLVocabulary("Ontology", "http://www.w3.org/2002/07/owl#", "application/owl+xml"),
        XMLVocabulary("sparql", "http://www.w3.org/2005/sparql-results#", "application/sparql-results+xml"),
        XMLVocabulary("Envelope", "http://www.w3.org/2003/05/soap-envelope", "application/soap+xml"),
        XMLVocabulary("definitions", "http://schemas.xmlsoap.org/wsdl", "application/wsdl+xml"),
        XMLVocabulary("description", "http://www.w3.org/ns/wsdl", "application/wsdl+xml"),
        XMLVocabulary("speak", "http://www.w3.org/2001/10/synthesis", "application/ssml+xml"),
        XMLVocabulary("vxml", "http://www.w3.org/2001/vxml", "application/voicexml+xml"),
        XMLVocabulary("grammar", "http://www.w3.org/2001/06/grammar", "application/srgs+xml"),
        XMLVocabulary("MPD", "urn:mpeg:dash:schema:mpd:", "application/dash+xml"),
        XMLVocabulary("xfdf", "http://ns.adobe.com/xfdf/", "application/vnd.adobe.xfdf"),
        XMLVocabulary("xdp", "http://ns.adobe.com/xdp/", "application/vnd.adobe.xdp+xml"),
    ]

    /// Books and papers: DocBook 5, TEI P5, FictionBook 2, OPF 3 (EPUB), NCX (DAISY), Word and Excel 2003, AbiWord,
    /// MusicXML 4, XLIFF 1.2 and 2, DITA 1.3, diagrams.net, Dia, Scribus.
    private static let documents = [
        XMLVocabulary("book", "http://docbook.org/ns/docbook", "application/docbook+xml"),
        XMLVocabulary("article", "http://docbook.org/ns/docbook", "application/docbook+xml"),
        XMLVocabulary("TEI", "http://www.tei-c.org/ns/1.0", "application/tei+xml"),
        XMLVocabulary("TEI.2", nil, "application/tei+xml"),
        XMLVocabulary(
            "FictionBook", "http://www.gribuser.ru/xml/fictionbook/", "application/x-fictionbook+xml", plain: true),
        XMLVocabulary("package", "http://www.idpf.org/2007/opf", "application/oebps-package+xml"),
        XMLVocabulary("ncx", "http://www.daisy.org/z3986/2005/ncx/", "application/x-dtbncx+xml"),
        XMLVocabulary(
            "wordDocument", "http://schemas.microsoft.com/office/word/2003/wordml", "application/vnd.ms-wordml"),
        XMLVocabulary(
            "Workbook", "urn:schemas-microsoft-com:office:spreadsheet", "application/vnd.ms-spreadsheetml"),
        XMLVocabulary("VisioDocument", "http://schemas.microsoft.com/visio/", "application/vnd.visio"),
        XMLVocabulary("VisioDocument", "urn:schemas-microsoft-com:office:visio", "application/vnd.visio"),
        XMLVocabulary("Workbook", "http://www.gnumeric.org/", "application/x-gnumeric"),
        XMLVocabulary("abiword", "http://www.abisource.com/awml.dtd", "application/x-abiword", plain: true),
        XMLVocabulary("score-partwise", nil, "application/vnd.recordare.musicxml+xml"),
        XMLVocabulary("score-timewise", nil, "application/vnd.recordare.musicxml+xml"),
        XMLVocabulary("xliff", "urn:oasis:names:tc:xliff:document:", "application/xliff+xml", plain: true),
        XMLVocabulary("mxfile", nil, "application/vnd.jgraph.mxfile"),
        XMLVocabulary("diagram", "http://www.lysator.liu.se/~alla/dia/", "application/x-dia-diagram"),
        XMLVocabulary("shape", "http://www.daa.com.au/~james/dia-shape-ns", "application/x-dia-shape"),
        XMLVocabulary("SCRIBUSUTF8NEW", nil, "application/vnd.scribus"),
        XMLVocabulary("SCRIBUSUTF8", nil, "application/vnd.scribus"),
    ]

    /// Feeds, lists and records: RSS 2.0, Atom (0.3; RFC 4287, 5023), OPML 2, XSPF 1, Metalink (RFC 5854), NZB, MODS,
    /// METS, MARCXML, xCard (RFC 6351), xCal (RFC 6321), OpenSearch 1.1, GraphML 1, XMI 2.
    private static let data = [
        XMLVocabulary("rss", nil, "application/rss+xml"),
        XMLVocabulary("feed", "http://www.w3.org/2005/Atom", "application/atom+xml"),
        XMLVocabulary("feed", "http://purl.org/atom/ns#", "application/atom+xml"),
        XMLVocabulary("entry", "http://www.w3.org/2005/Atom", "application/atom+xml"),
        XMLVocabulary("service", "http://www.w3.org/2007/app", "application/atomsvc+xml"),
        XMLVocabulary("opml", nil, "text/x-opml+xml"),
        XMLVocabulary("playlist", "http://xspf.org/ns/0/", "application/xspf+xml"),
        XMLVocabulary("metalink", "urn:ietf:params:xml:ns:metalink", "application/metalink4+xml"),
        XMLVocabulary("metalink", "http://www.metalinker.org/", "application/metalink+xml", plain: true),
        XMLVocabulary("nzb", "http://www.newzbin.com/DTD/", "application/x-nzb", plain: true),
        XMLVocabulary("mods", "http://www.loc.gov/mods/", "application/mods+xml"),
        XMLVocabulary("mets", "http://www.loc.gov/METS/", "application/mets+xml"),
        XMLVocabulary("collection", "http://www.loc.gov/MARC21/slim", "application/marcxml+xml"),
        XMLVocabulary("record", "http://www.loc.gov/MARC21/slim", "application/marcxml+xml"),
        XMLVocabulary("vcards", "urn:ietf:params:xml:ns:vcard-4.0", "application/vcard+xml"),
        XMLVocabulary("icalendar", "urn:ietf:params:xml:ns:icalendar-2.0", "application/calendar+xml"),
        XMLVocabulary(
            "OpenSearchDescription", "http://a9.com/-/spec/opensearch/", "application/opensearchdescription+xml"),
        XMLVocabulary("graphml", "http://graphml.graphdrawing.org/", "application/graphml+xml", plain: true),
        XMLVocabulary("XMI", "http://schema.omg.org/spec/XMI/", "text/x-xmi", plain: true),
        XMLVocabulary("XMI", "http://www.omg.org/", "text/x-xmi"),
    ]

    /// Places and shapes: GPX 1.0 and 1.1, KML 2 (OGC 12-007), GML 2 and 3 (OGC 07-036), COLLADA 1, X3D (ISO 19775).
    private static let places = [
        XMLVocabulary("gpx", "http://www.topografix.com/GPX/", "application/gpx+xml", plain: true),
        XMLVocabulary("kml", "http://www.opengis.net/kml/", "application/vnd.google-earth.kml+xml", plain: true),
        XMLVocabulary("kml", "http://earth.google.com/kml/", "application/vnd.google-earth.kml+xml"),
        XMLVocabulary("FeatureCollection", "http://www.opengis.net/", "application/gml+xml"),
        XMLVocabulary("gml", "http://www.opengis.net/gml", "application/gml+xml"),
        XMLVocabulary("COLLADA", "http://www.collada.org/", "model/vnd.collada+xml", plain: true),
        XMLVocabulary("X3D", nil, "model/x3d+xml"),
        // Windows Media Player does not distinguish upper and lower case.
        XMLVocabulary("asx", nil, "audio/x-ms-asx"), XMLVocabulary("ASX", nil, "audio/x-ms-asx"),
        XMLVocabulary("Asx", nil, "audio/x-ms-asx"),
    ]

    /// Programs: GtkBuilder, Glade, Qt Designer and Linguist, XUL, JNLP (JSR 56).
    private static let programs = [
        XMLVocabulary("glade-interface", nil, "application/x-glade"),
        XMLVocabulary("ui", nil, "application/x-designer"),
        XMLVocabulary("UI", nil, "application/x-designer"),
        XMLVocabulary("TS", nil, "text/vnd.trolltech.linguist"),
        XMLVocabulary("window", "http://www.mozilla.org/keymaster/gatekeeper/", "application/vnd.mozilla.xul+xml"),
        XMLVocabulary("overlay", "http://www.mozilla.org/keymaster/gatekeeper/", "application/vnd.mozilla.xul+xml"),
        XMLVocabulary("jnlp", nil, "application/x-java-jnlp-file"),
    ]
}
