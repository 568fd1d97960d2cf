import ShareModel
import Testing

@testable import Sniffing

@Suite("Uniform type identifiers")
struct UniformTypeTests {
    /// Every static member of `UTType` (macOS 26), as Apple's documentation names it.
    static let declaredBySystem = """
        com.adobe.pdf com.adobe.raw-image com.apple.alias-file com.apple.applescript.script
        com.apple.applescript.script-bundle com.apple.applescript.text com.apple.application
        com.apple.application-and-system-extension com.apple.application-bundle com.apple.archive com.apple.arobject
        com.apple.binary-property-list com.apple.bookmark com.apple.bundle com.apple.flat-rtfd com.apple.framework
        com.apple.haptics.ahap com.apple.icns com.apple.internet-location com.apple.linkpresentation.metadata
        com.apple.live-photo com.apple.metadata-importer com.apple.mount-point com.apple.package com.apple.plugin
        com.apple.property-list com.apple.protected-mpeg-4-audio com.apple.protected-mpeg-4-video
        com.apple.quicklook-generator com.apple.quicktime-movie com.apple.reality com.apple.resolvable com.apple.rtfd
        com.apple.scenekit.scene com.apple.systempreference.prefpane com.apple.webarchive com.apple.xml-property-list
        com.apple.xpc-service com.compuserve.gif com.ilm.openexr-image com.microsoft.bmp com.microsoft.ico
        com.microsoft.internet-shortcut com.microsoft.waveform-audio com.microsoft.windows-executable
        com.netscape.javascript-source com.pixar.universal-scene-description
        com.pixar.universal-scene-description-mobile com.rsa.pkcs-12 org.gnu.gnu-zip-archive org.idpf.epub-container
        org.webmproject.webp public.3d-content public.aiff-audio public.archive public.assembly-source public.audio
        public.audiovisual-content public.avi public.bookmark public.bzip2-archive public.c-header
        public.c-plus-plus-header public.c-plus-plus-source public.c-source public.calendar-event
        public.camera-raw-image public.comma-separated-values-text public.composite-content public.contact
        public.content public.css public.data public.database public.delimited-values-text public.directory
        public.disk-image public.email-message public.executable public.file-url public.folder public.font
        public.geojson public.heic public.heics public.heif public.html public.image public.item public.jpeg
        public.jpeg-xl public.json public.log public.m3u-playlist public.make-source public.message public.midi-audio
        public.movie public.mp3 public.mpeg public.mpeg-2-transport-stream public.mpeg-2-video public.mpeg-4
        public.mpeg-4-audio public.objective-c-plus-plus-source public.objective-c-source public.perl-script
        public.php-script public.plain-text public.playlist public.png public.presentation public.python-script
        public.rtf public.ruby-script public.script public.shell-script public.source-code public.spreadsheet
        public.svg-image public.swift-source public.symlink public.tab-separated-values-text public.tar-archive
        public.text public.tiff public.to-do-item public.unix-executable public.url public.utf16-external-plain-text
        public.utf16-plain-text public.utf8-plain-text public.utf8-tab-separated-values-text public.vcard public.video
        public.volume public.x509-certificate public.xml public.yaml public.zip-archive
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test func knowsEveryTypeOfTheSystem() {
        let unknown = Self.declaredBySystem.filter {
            UniformTypes.abstract[$0] == nil && UniformTypes.concrete[$0] == nil
        }
        #expect(Self.declaredBySystem.count == 140)
        #expect(unknown == [])
    }

    @Test func identifiersAreUnique() {
        let all = Array(UniformTypes.abstract.keys) + Array(UniformTypes.concrete.keys)
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { $0 == $0.lowercased() && $0.contains(".") && !$0.contains("/") })
    }

    @Test(arguments: UniformTypes.concrete.sorted { $0.key < $1.key })
    func concreteTypesAreTypes(_ identifier: String, _ name: String) throws {
        let type = try #require(MediaType(name))
        #expect(type.description == name)
        let database = SharedMIMEDatabase(dataFolders: ["/nonexistent"])
        for canonical in [database.canonical(type), BundledMIMETests.system.canonical(type)] {
            #expect(database.canonical(canonical) == canonical)
            #expect(ContentClass(of: canonical) == ContentClass(of: type), "\(type) and \(canonical)")
        }
        let media = type.type
        if media == "image", type.description != "image/vnd.dwg" { #expect(ContentClass(of: type) == .image) }
        #expect(DeclaredType(identifier).mediaType == type)
    }
}
