import GroupContainer
import Ingestion
import ShareModel

/// The thumbnails of a package, as the terminal shows them.
struct Thumbnails {
    enum Thumbnail {
        case shown(TerminalPicture)
        /// The reason, in words.
        case notShown(String)
    }

    private struct Place: Hashable {
        let part: Int
        let digest: Digest
    }

    /// The most pictures of one package. The files of more are a command away.
    static let most = 8

    private var thumbnails: [Place: Thumbnail] = [:]
    /// The number of thumbnails above ``most``.
    private(set) var left = 0

    /// The thumbnail that a sink made of a part, by the number of the part and the digest of the file.
    subscript(part part: Int, digest: Digest) -> Thumbnail? { thumbnails[Place(part: part, digest: digest)] }

    /// No thumbnails.
    init() {}

    /// The thumbnails that sinks made of a package; none if the terminal of standard output cannot show pictures.
    ///
    /// - Throws: `CancellationError`.
    init(of files: PackageFiles) async throws {
        let files = files.all.compactMap { file in file.thumbnailPart.map { (file: file, part: $0) } }
        guard !files.isEmpty, let terminal = try await PictureTerminal.ask() else { return }
        let shown = files.prefix(Self.most)
        left = files.count - shown.count
        let read = try await PixelReader(fitting: terminal.box).read(shown.map(\.file))
        for (file, part) in shown {
            let place = Place(part: part, digest: file.sha256)
            switch read[file.sha256] {
            case .success(let pixels): thumbnails[place] = .shown(terminal.picture(pixels))
            case .failure(let error): thumbnails[place] = .notShown(error.why)
            case nil: break
            }
        }
    }
}

extension PackageFile {
    /// The number of the part that this file is a thumbnail of; `nil` if it is something else.
    fileprivate var thumbnailPart: Int? {
        guard case .product(_, let part, role: "thumbnail") = role, let type, ContentClass(of: type) == .image else {
            return nil
        }
        return part
    }
}
