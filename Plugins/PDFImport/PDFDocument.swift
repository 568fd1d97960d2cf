import CPoppler
import SinkKit
import SinkTools

/// An open PDF. The class owns poppler's object and releases it.
final class PDFDocument {
    private let document: OpaquePointer

    /// The result of opening a PDF.
    enum Opening {
        case opened(PDFDocument)
        /// The PDF needs a password.
        case locked
        /// Poppler cannot read the file, not even by searching it for objects.
        case unreadable(problem: String)
    }

    private init(owning document: OpaquePointer) {
        self.document = document
    }

    deinit {
        g_object_unref(gpointer(document))
    }

    /// Opens the regular file at `path`, without a password.
    ///
    /// - Throws: `SinkFailure` if the file itself cannot be opened, which says nothing about the PDF in it.
    static func open(_ path: String) throws -> Opening {
        let descriptor = try openRegularFile(path)
        var error: UnsafeMutablePointer<GError>?
        // Poppler owns the descriptor from here on, and closes it even if the call fails.
        guard let document = poppler_document_new_from_fd(descriptor, nil, &error) else {
            defer { g_clear_error(&error) }
            guard let error else { return .unreadable(problem: "poppler cannot open it") }
            if error.pointee.domain == poppler_error_quark(), error.pointee.code == POPPLER_ERROR_ENCRYPTED.code {
                return .locked
            }
            return .unreadable(problem: String(cString: error.pointee.message))
        }
        return .opened(PDFDocument(owning: document))
    }

    /// Whether the author restricted the document, for example forbids copying text. Such a PDF is encrypted, although
    /// it opens without a password.
    var isRestricted: Bool {
        poppler_document_get_permissions(document).rawValue & POPPLER_PERMISSIONS_FULL.rawValue
            != POPPLER_PERMISSIONS_FULL.rawValue
    }

    /// The number of pages; not negative.
    var pageCount: Int { Int(max(0, poppler_document_get_n_pages(document))) }

    /// What the document says about itself.
    var findings: Findings {
        var findings = Findings()
        findings["pages"] = .integer(Int64(pageCount))
        findings.set("title", Self.take(poppler_document_get_title(document)))
        findings.set("author", Self.take(poppler_document_get_author(document)))
        findings.set("subject", Self.take(poppler_document_get_subject(document)))
        findings.set("producer", Self.take(poppler_document_get_producer(document)))
        let keywords = Self.take(poppler_document_get_keywords(document)) ?? ""
        findings.set("keywords", list: keywords.split { $0 == "," || $0 == ";" }.map(String.init))
        findings.set("date", Self.take(poppler_document_get_creation_date_time(document)))
        findings.set("modified", Self.take(poppler_document_get_modification_date_time(document)))
        findings.set("outline", list: PDFOutline.titles(of: document))
        return findings
    }

    /// The page with this number, from 0 on; `nil` if poppler cannot load it.
    func page(_ index: Int) -> PDFPage? {
        guard index < pageCount, let page = poppler_document_get_page(document, Int32(index)) else { return nil }
        return PDFPage(owning: page)
    }

    private static func take(_ owned: UnsafeMutablePointer<gchar>?) -> String? {
        guard let owned else { return nil }
        defer { g_free(owned) }
        return String(cString: owned)
    }

    /// The date in ISO 8601. Poppler reads a time without a zone as UTC, so a time in UTC gets no zone here.
    private static func take(_ owned: OpaquePointer?) -> String? {
        guard let owned else { return nil }
        defer { g_date_time_unref(owned) }
        let hasZone = g_date_time_get_utc_offset(owned) != 0
        return take(g_date_time_format(owned, hasZone ? "%Y-%m-%dT%H:%M:%S%:z" : "%Y-%m-%dT%H:%M:%S"))
    }
}

/// One page of an open PDF. The class owns poppler's object and releases it.
final class PDFPage {
    private let page: OpaquePointer

    fileprivate init(owning page: OpaquePointer) {
        self.page = page
    }

    deinit {
        g_object_unref(gpointer(page))
    }

    /// The size in points, after the page's own rotation; `nil` if the PDF's values are not a size.
    var size: PageSize? {
        var width = 0.0
        var height = 0.0
        poppler_page_get_size(page, &width, &height)
        return PageSize(width: width, height: height)
    }

    /// The text in reading order. Lines end with LF, and a tab separates cells.
    var text: String {
        guard let owned = poppler_page_get_text(page) else { return "" }
        defer { g_free(owned) }
        let text = String(cString: owned)
        guard text.utf8.count <= GlyphPlaces.maximumBytes else { return text }
        return withPlaces { GlyphPlaces(places: $0).separate(text) }
    }

    /// The largest number of fields of one page that are read, and of items of one choice.
    private static let maximumFields = 2_000

    /// Calls `body` with what was filled into each field of a form on the page: texts and choices, without passwords.
    ///
    /// - Parameter body: returns whether it takes more.
    func forEachFieldValue(_ body: (String) -> Bool) {
        guard let list = poppler_page_get_form_field_mapping(page) else { return }
        defer { poppler_page_free_form_field_mapping(list) }
        // Poppler lists the last field first.
        var next = g_list_last(list)
        var last = ""
        for _ in 0..<Self.maximumFields {
            guard let entry = next else { return }
            next = entry.pointee.prev
            let mapping = entry.pointee.data?.assumingMemoryBound(to: PopplerFormFieldMapping.self)
            guard let field = mapping?.pointee.field else { continue }
            // A field may be in several places of a page.
            for value in Self.values(of: field) where !value.isEmpty && value != last {
                last = value
                guard body(value) else { return }
            }
        }
    }

    private static func values(of field: OpaquePointer) -> [String] {
        func take(_ owned: UnsafeMutablePointer<gchar>?) -> [String] {
            guard let owned else { return [] }
            defer { g_free(owned) }
            return [String(cString: owned)]
        }
        switch poppler_form_field_get_field_type(field) {
        case POPPLER_FORM_FIELD_TEXT where poppler_form_field_text_is_password(field) == 0:
            return take(poppler_form_field_text_get_text(field))
        case POPPLER_FORM_FIELD_CHOICE:
            let count = min(poppler_form_field_choice_get_n_items(field), gint(maximumFields))
            let chosen = (0..<max(0, count)).filter { poppler_form_field_choice_is_item_selected(field, $0) != 0 }
            // A person may also type a value that is no item.
            let isTyped = chosen.isEmpty && poppler_form_field_choice_is_editable(field) != 0
            return isTyped
                ? take(poppler_form_field_choice_get_text(field))
                : chosen.flatMap { take(poppler_form_field_choice_get_item(field, $0)) }
        default: return []
        }
    }

    /// Calls `body` with the place of each character of the text, in points.
    private func withPlaces<Result>(_ body: (UnsafeBufferPointer<PopplerRectangle>) -> Result) -> Result {
        var places: UnsafeMutablePointer<PopplerRectangle>?
        var count: guint = 0
        poppler_page_get_text_layout(page, &places, &count)
        defer { g_free(places) }
        return body(UnsafeBufferPointer(start: places, count: places == nil ? 0 : Int(count)))
    }

    /// Whether the page shows a picture.
    var hasPictures: Bool {
        guard let pictures = poppler_page_get_image_mapping(page) else { return false }
        poppler_page_free_image_mapping(pictures)
        return true
    }

    /// Draws the page on a white background and writes it as PNG.
    ///
    /// - Throws: ``DrawingError`` if cairo cannot draw the page, however often it tries; `SinkFailure` if the file
    ///   cannot be written now.
    func render(_ thumbnail: ThumbnailSize, to path: String) throws {
        try draw(thumbnail, to: path) { context in
            cairo_scale(context, thumbnail.scale, thumbnail.scale)
            poppler_page_render(page, context)
        }
    }

    /// Draws gray bars in the places of the words, for a page that cannot be drawn itself.
    func renderLayout(_ thumbnail: ThumbnailSize, to path: String) throws {
        try draw(thumbnail, to: path) { context in
            cairo_set_source_rgb(context, 0.6, 0.6, 0.6)
            withPlaces {
                for place in $0.prefix(Self.maximumPlaces) {
                    let sides = [place.x1, place.y1, place.x2 - place.x1, place.y2 - place.y1]
                        .map { $0 * thumbnail.scale }
                    // Cairo's numbers are small, and a value out of range would spoil the whole drawing.
                    guard sides.allSatisfy({ $0.isFinite && abs($0) <= ThumbnailSize.longestSide }) else { continue }
                    cairo_rectangle(context, sides[0], sides[1], sides[2], sides[3])
                }
            }
            cairo_fill(context)
        }
    }

    /// The largest number of characters whose places are drawn.
    private static let maximumPlaces = 20_000

    private func draw(_ thumbnail: ThumbnailSize, to path: String, _ body: (OpaquePointer?) -> Void) throws {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, thumbnail.width, thumbnail.height)
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        body(context)
        cairo_surface_flush(surface)
        let status = cairo_surface_write_to_png(surface, path)
        guard status != CAIRO_STATUS_SUCCESS else { return }
        let words = String(cString: cairo_status_to_string(status))
        // Only a lack of disk or memory can pass. A failed drawing operation leaves its error in the surface, and the same
        // page fails in the same way each time.
        switch status {
        case CAIRO_STATUS_WRITE_ERROR:
            throw SinkFailure(.transient, "the thumbnail cannot be written: \(words); free some disk space")
        case CAIRO_STATUS_NO_MEMORY: throw SinkFailure(.transient, "the thumbnail cannot be drawn: \(words)")
        default: throw DrawingError(why: words)
        }
    }
}

/// The reason why a page cannot be drawn, in cairo's words.
struct DrawingError: Error {
    let why: String
}

extension PopplerError {
    /// The value that `GError.code` has for this error.
    fileprivate var code: gint { gint(rawValue) }
}
