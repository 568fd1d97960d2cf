import CPoppler
import Glibc
import SinkKit

/// An open PDF. The class owns poppler's object and releases it.
final class PDFDocument {
    /// The longest metadata string in an answer, in characters.
    static let maximumTextLength = 1_000

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
    /// - Throws: ``SinkFailure`` if the file itself cannot be opened, which says nothing about the PDF in it.
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

    /// The keys `pages`, `title`, `author` and `producer`; the last three only if they are not empty.
    var information: [String: JSONValue] {
        var all: [String: JSONValue] = ["pages": .integer(Int64(max(0, poppler_document_get_n_pages(document))))]
        all["title"] = text(poppler_document_get_title(document))
        all["author"] = text(poppler_document_get_author(document))
        all["producer"] = text(poppler_document_get_producer(document))
        return all
    }

    /// Page one; `nil` if the document has no pages, or if poppler cannot load page one.
    var firstPage: PDFPage? {
        guard poppler_document_get_n_pages(document) > 0, let page = poppler_document_get_page(document, 0) else {
            return nil
        }
        return PDFPage(owning: page)
    }

    private func text(_ owned: UnsafeMutablePointer<gchar>?) -> JSONValue? {
        guard let owned else { return nil }
        defer { g_free(owned) }
        let text = String(cString: owned).capped()
        return text.isEmpty ? nil : .string(text)
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

    /// Draws the page on a white background and writes it as PNG.
    ///
    /// - Throws: ``DrawingError`` if cairo cannot draw the page, however often it tries; ``SinkFailure`` if the file
    ///   cannot be written now.
    func render(_ size: PageSize, as thumbnail: ThumbnailSize, to path: String) throws {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, thumbnail.width, thumbnail.height)
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_scale(context, thumbnail.scale, thumbnail.scale)
        poppler_page_render(page, context)
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

extension String {
    /// The string without control characters and surrounding spaces, at most ``PDFDocument/maximumTextLength`` long.
    func capped() -> String {
        let head = unicodeScalars.prefix(PDFDocument.maximumTextLength)
            .map { $0.properties.generalCategory == .control ? " " : Character($0) }
        let text = String(head)
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

private func openRegularFile(_ path: String) throws -> Int32 {
    // O_NONBLOCK: opening a FIFO would otherwise block until a writer comes.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
        throw SinkFailure(.transient, "the content cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw SinkFailure(.permanent, "the content is not a regular file")
    }
    return descriptor
}
