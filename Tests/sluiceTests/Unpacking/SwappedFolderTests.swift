import Foundation
import ShareModel
import SystemPackage
import Testing
import Unpacking

/// Between the description and the content a sender can put a link where the share's own folder was.
@Suite struct SwappedFolderTests {
    @Test func aShareThatBecomesALinkLeadsNowhere() throws {
        let folder = try TestFolder()
        try folder.share("in/x", #"{"representations":[{"file":"key.txt"}]}"#)
        try folder.write("in/x.share/key.txt", "its own")
        try folder.write("secret/key.txt", "somebody else's")
        var reader = PackageReader(paths: [folder["in"]])
        guard case .package(let package) = reader.next() else {
            Issue.record("the share is no package")
            return
        }
        let opener = SourceOpener(folder: package.source.folder, root: package.source.root)
        #expect(throws: Never.self) { _ = try opener.open(.path("key.txt")) }
        try FileManager.default.removeItem(atPath: folder["in/x.share"].string)
        try FileManager.default.createSymbolicLink(
            atPath: folder["in/x.share"].string, withDestinationPath: folder["secret"].string)
        for opener in [opener, SourceOpener(folder: package.source.folder, root: package.source.root)] {
            for reference in [FileReference.path("key.txt"), .path(folder["in/x.share/key.txt"])] {
                #expect(throws: UnpackingError.self) { _ = try opener.open(reference) }
            }
        }
    }
}
