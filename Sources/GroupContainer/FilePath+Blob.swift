internal import ShareModel
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FilePath {
    /// A path's bytes as the catalog keeps them: names need not be UTF-8.
    var blob: Data { Data(bytes) }

    init?(blob: Data?) {
        guard let blob else { return nil }
        self.init(bytes: blob)
    }
}
