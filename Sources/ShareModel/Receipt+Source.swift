public import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Receipt.Source {
    /// A path as JSON can hold it: readable always, and exact besides where its bytes are not UTF-8.
    public init(kind: PackageSource.Kind, path: FilePath) {
        self.init(kind: kind, path: path.string, pathBase64: nil)
        let bytes = path.bytes
        if Array(self.path.utf8) != bytes { pathBase64 = Data(bytes).base64EncodedString() }
    }
}
