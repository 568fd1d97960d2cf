internal import Formats
internal import ShareModel

/// Recognizes programs and add-ons:
/// - Java archives (JAR file specification: `META-INF/MANIFEST.MF`), including web and enterprise archives.
/// - Android (`AndroidManifest.xml` beside code or resources). An Android library has its code in `classes.jar`, and is
///   not a program.
/// - Apple (`Payload/*.app/`).
/// - Mozilla (`install.rdf`, or a manifest and a signature).
struct AppZipPart: ZipPart {
    private static let android: MediaType = "application/vnd.android.package-archive"
    private static let apple: MediaType = "application/x-itunes-ipa"
    private static let mozilla: MediaType = "application/x-xpinstall"
    private static let java: MediaType = "application/java-archive"

    let concludes: Set<MediaType> = [android, apple, mozilla, java]

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        if isAndroid(archive) { return Finding(Self.android, Evidence("zip", "entry AndroidManifest.xml and code")) }
        // Android's build tool puts this entry before all others.
        if archive.has("meta-inf/com/android/build/gradle/app-metadata.properties") {
            return Finding(Self.android, Evidence("zip", "entry app-metadata.properties of Android's builder"), .likely)
        }
        if archive.has(prefix: "payload/", suffix: ".app/info.plist") {
            return Finding(Self.apple, Evidence("zip", "entry Payload/*.app/Info.plist"))
        }
        let isSigned = archive.has("meta-inf/mozilla.rsa") || archive.has("meta-inf/cose.sig")
        if archive.has("install.rdf") || (isSigned && archive.has("manifest.json")) {
            return Finding(Self.mozilla, Evidence("zip", "the manifest of an add-on, signed or in RDF"))
        }
        // Signed programs of Android and add-ons of Mozilla have this entry too, so Java comes last.
        if archive.has("meta-inf/manifest.mf") {
            return Finding(Self.java, Evidence("zip", "entry META-INF/MANIFEST.MF"))
        }
        return nil
    }

    private func isAndroid(_ archive: ZipArchive) -> Bool {
        guard archive.has("androidmanifest.xml"), !archive.has("classes.jar") else { return false }
        // A signature block ends with `.RSA` or `.DSA` (JAR file specification).
        return archive.has("classes.dex") || archive.has("resources.arsc") || archive.has(prefix: "res/")
            || archive.has(prefix: "lib/", suffix: ".so") || archive.has(prefix: "meta-inf/", suffix: "sa")
    }
}
