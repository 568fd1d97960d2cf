import ShareModel
import SystemPackage

extension FilePath {
    /// The bytes of the last component; of the whole path where it has none.
    var name: [UInt8] { lastComponent.map { FilePath(root: nil, components: $0).bytes } ?? bytes }
}
