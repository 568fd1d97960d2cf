extension BundledMIME {
    static let subclassTable: StaticString = """
        # Zip archives that are something more
        application/epub+zip application/x-java-archive application/vnd.android.package-archive application/zip
        application/vnd.oasis.opendocument.text application/vnd.oasis.opendocument.text-template application/zip
        application/vnd.oasis.opendocument.text-master application/vnd.oasis.opendocument.text-web application/zip
        application/vnd.oasis.opendocument.spreadsheet application/zip
        application/vnd.oasis.opendocument.spreadsheet-template application/zip
        application/vnd.oasis.opendocument.presentation application/zip
        application/vnd.oasis.opendocument.presentation-template application/zip
        application/vnd.oasis.opendocument.graphics application/zip
        application/vnd.oasis.opendocument.graphics-template application/zip
        application/vnd.oasis.opendocument.formula application/vnd.oasis.opendocument.chart application/zip
        application/vnd.oasis.opendocument.image application/vnd.oasis.opendocument.database application/zip
        application/vnd.openxmlformats-officedocument.wordprocessingml.document application/zip
        application/vnd.openxmlformats-officedocument.wordprocessingml.template application/zip
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/zip
        application/vnd.openxmlformats-officedocument.spreadsheetml.template application/zip
        application/vnd.openxmlformats-officedocument.presentationml.presentation application/zip
        application/vnd.openxmlformats-officedocument.presentationml.slideshow application/zip
        application/vnd.openxmlformats-officedocument.presentationml.template application/zip
        application/vnd.openxmlformats-officedocument.presentationml.slide application/zip
        application/vnd.ms-word.document.macroenabled.12 application/vnd.openxmlformats-officedocument.wordprocessingml.document
        application/vnd.ms-word.template.macroenabled.12 application/vnd.openxmlformats-officedocument.wordprocessingml.template
        application/vnd.ms-excel.sheet.macroenabled.12 application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        application/vnd.ms-excel.sheet.binary.macroenabled.12 application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        application/vnd.ms-excel.template.macroenabled.12 application/vnd.openxmlformats-officedocument.spreadsheetml.template
        application/vnd.ms-powerpoint.presentation.macroenabled.12 application/vnd.openxmlformats-officedocument.presentationml.presentation
        application/vnd.ms-powerpoint.slideshow.macroenabled.12 application/vnd.openxmlformats-officedocument.presentationml.slideshow
        application/vnd.ms-powerpoint.template.macroenabled.12 application/vnd.openxmlformats-officedocument.presentationml.template
        application/vnd.ms-excel.addin.macroenabled.12 application/zip
        application/vnd.ms-powerpoint.addin.macroenabled.12 application/zip
        application/vnd.ms-powerpoint.slide.macroenabled.12 application/zip
        application/vnd.ms-visio.drawing.main+xml application/zip
        application/vnd.ms-visio.drawing.macroenabled.main+xml application/zip
        application/vnd.ms-visio.stencil.main+xml application/vnd.ms-visio.template.main+xml application/zip
        application/vnd.sun.xml.writer application/vnd.sun.xml.calc application/vnd.sun.xml.impress application/zip
        application/vnd.sun.xml.draw application/vnd.sun.xml.math application/zip
        application/vnd.apple.pages application/vnd.apple.numbers application/vnd.apple.keynote application/zip
        application/vnd.apple.unknown.13 application/zip
        application/oxps application/vnd.ms-xpsdocument application/vnd.comicbook+zip application/zip
        application/vnd.google-earth.kmz application/vnd.apple.pkpass model/3mf model/vnd.usdz+zip application/zip
        application/x-xpinstall image/openraster application/x-krita application/vnd.sketch application/zip
        application/x-pytorch application/vnd.openofficeorg.autotext application/zip
        # OLE compound files
        application/msword application/vnd.ms-excel application/vnd.ms-powerpoint application/x-ole-storage
        application/vnd.visio application/x-ole-storage
        application/vnd.ms-publisher application/vnd.ms-project application/vnd.ms-works application/x-ole-storage
        application/vnd.ms-outlook application/x-msi image/vnd.fpx application/x-hwp application/x-ole-storage
        application/msword-template application/msword
        # XML
        application/xhtml+xml application/atom+xml application/rss+xml application/rdf+xml application/xml
        application/gpx+xml application/vnd.google-earth.kml+xml application/mathml+xml application/xml
        application/xslt+xml application/x-fictionbook+xml application/xliff+xml application/ttml+xml application/xml
        application/smil+xml application/xspf+xml application/x-plist application/xml
        application/metalink4+xml application/x-gnucash application/vnd.mozilla.xul+xml application/xml
        application/vnd.recordare.musicxml+xml application/dash+xml application/x-xbel application/xml
        application/opml+xml application/xml
        application/vnd.adobe.xfdf application/vnd.adobe.xdp+xml application/owl+xml application/xml
        application/gml+xml application/vnd.garmin.tcx+xml application/enex+xml text/x-opml+xml application/xml
        image/svg+xml model/vnd.collada+xml application/vnd.oasis.opendocument.text-flat-xml application/xml
        application/vnd.oasis.opendocument.spreadsheet-flat-xml application/xml
        application/vnd.oasis.opendocument.presentation-flat-xml application/xml
        application/vnd.oasis.opendocument.graphics-flat-xml application/xml
        application/xml text/plain
        image/svg+xml-compressed application/gzip
        # JSON, YAML and other data in text form
        application/geo+json application/ld+json application/manifest+json application/schema+json application/json
        application/json-patch+json application/vnd.api+json application/x-ipynb+json application/json
        application/problem+json application/feed+json application/activity+json application/json
        application/jf2feed+json application/har+json application/topo+json application/json
        application/vnd.mapbox.style+json model/gltf+json application/json
        application/json application/x-ndjson application/x-yaml application/toml application/sql text/plain
        application/x-subrip application/graphql application/javascript text/plain
        application/raml+yaml application/openapi+yaml application/x-yaml
        # Text by another name
        application/rtf application/mbox message/rfc822 application/postscript application/x-desktop text/plain
        application/x-mswinurl application/x-pem-file application/pgp-keys application/pgp-signature text/plain
        application/pgp-encrypted text/plain
        application/x-shellscript application/x-ruby application/x-perl application/x-php application/x-awk text/plain
        application/x-csh application/x-m4 application/x-smali application/x-fishscript text/plain
        application/x-troff-man application/xml-dtd text/plain
        message/delivery-status message/disposition-notification message/news text/plain
        application/x-wine-extension-ini text/plain
        text/typescript application/javascript
        text/jsx application/javascript
        application/x-mimearchive message/rfc822
        message/news message/rfc822
        text/x-csrc text/x-c++src text/x-chdr text/x-objcsrc text/plain
        text/x-c++src text/x-objcsrc text/x-chdr text/x-csrc
        text/x-c++hdr text/x-chdr
        text/x-objc++src text/x-c++src
        text/x-log text/x-readme text/x-ini text/x-gitignore text/plain
        text/x-python3 text/x-python
        # Pictures
        image/x-adobe-dng image/x-nikon-nef image/x-nikon-nrw image/x-sony-arw image/x-sony-sr2 image/tiff
        image/x-sony-srf image/x-pentax-pef image/x-canon-cr2 image/tiff
        image/x-kodak-dcr image/x-kodak-kdc image/x-epson-erf image/x-hasselblad-3fr image/x-hasselblad-fff image/tiff
        image/x-phaseone-iiq image/x-mamiya-mef image/x-leaf-mos image/x-samsung-srw image/x-leica-rwl image/tiff
        image/tiff-fx image/x-lsm image/vnd.zeiss.lsm image/x-aperio-svs image/tiff
        image/x-eps application/postscript
        application/illustrator application/pdf
        application/illustrator application/postscript
        image/apng image/png
        image/mpo image/jpeg
        image/jpx image/jph image/jp2
        image/aces image/x-exr
        image/x-portable-bitmap image/x-portable-graymap image/x-portable-pixmap image/x-portable-anymap
        # Sound and films
        audio/mp2 audio/mp1 audio/mpeg
        audio/vnd.dts.hd audio/vnd.dts
        audio/x-m4b audio/vnd.audible.aax audio/mp4
        audio/x-vorbis+ogg audio/x-opus+ogg audio/x-speex+ogg audio/x-flac+ogg audio/ogg
        video/x-theora+ogg video/x-ogm+ogg video/ogg
        audio/ogg video/ogg application/ogg
        audio/x-aifc audio/x-aiff
        audio/x-ms-wma video/x-ms-wmv application/vnd.ms-asf
        audio/x-matroska video/x-matroska application/x-matroska
        video/webm video/x-matroska
        audio/webm audio/x-matroska
        audio/x-bwf audio/x-wav
        audio/x-mpegurl audio/x-scpls text/plain
        application/vnd.apple.mpegurl audio/x-mpegurl
        # Compressed archives
        application/x-compressed-tar application/gzip
        application/x-bzip-compressed-tar application/x-bzip
        application/x-xz-compressed-tar application/x-xz
        application/x-zstd-compressed-tar application/zstd
        application/x-lzma-compressed-tar application/x-lzma
        application/vnd.debian.binary-package application/x-archive
        application/vnd.comicbook-rar application/vnd.rar
        # Programs, fonts, property lists
        application/x-pie-executable application/x-executable
        application/x-cd-image application/x-raw-disk-image
        application/vnd.geopackage+sqlite3 application/vnd.sqlite3
        model/vnd.usda text/plain
        model/obj model/mtl text/plain
        application/x-powershell application/x-bat application/vnd.coffeescript text/plain
        application/vnd.chess-pgn application/x-chess-pgn application/x-go-sgf text/plain
        """
}
