extension BundledMIME {
    static let aliasTable: StaticString = """
        # Documents
        application/x-pdf application/acrobat application/nappdf image/pdf text/pdf application/pdf
        application/ps application/x-postscript text/postscript application/postscript
        image/eps application/eps application/x-eps image/x-eps
        application/vnd.adobe.illustrator application/illustrator
        text/rtf application/x-rtf application/rtf
        application/x-msword application/vnd.msword application/doc zz-application/zz-winassoc-doc application/msword
        application/msexcel application/x-msexcel application/xls application/x-xls application/vnd.ms-excel
        application/excel application/x-excel application/vnd.ms-excel
        application/mspowerpoint application/x-mspowerpoint application/powerpoint application/vnd.ms-powerpoint
        application/ppt application/vnd.ms-powerpoint
        application/vnd.ms-visio application/x-visio application/visio application/vnd.visio
        application/vnd.ms-visio.drawing application/vnd.ms-visio.drawing.main+xml
        application/x-mspublisher application/x-publisher application/vnd.ms-publisher
        application/x-msproject application/msproject application/vnd.ms-project
        application/x-epub+zip application/epub application/epub+zip
        application/x-mobi application/x-mobipocket application/mobi application/x-mobipocket-ebook
        application/x-fictionbook text/x-fictionbook text/fb2+xml application/x-fictionbook+xml
        application/x-wordperfect application/wordperfect application/vnd.wordperfect
        application/x-vnd.oasis.opendocument.text application/vnd.oasis.opendocument.text
        application/x-vnd.oasis.opendocument.spreadsheet application/vnd.oasis.opendocument.spreadsheet
        application/x-vnd.oasis.opendocument.presentation application/vnd.oasis.opendocument.presentation
        application/x-iwork-pages-sffpages application/vnd.apple.iwork.pages application/vnd.apple.pages
        application/x-pages application/vnd.apple.pages
        application/x-iwork-numbers-sffnumbers application/vnd.apple.iwork.numbers application/vnd.apple.numbers
        application/x-numbers application/vnd.apple.numbers
        application/x-iwork-keynote-sffkey application/vnd.apple.iwork.keynote application/vnd.apple.keynote
        application/x-keynote application/vnd.apple.keynote
        application/x-chm application/x-ms-htmlhelp application/vnd.ms-htmlhelp
        application/x-indesign application/x-adobe-indesign
        application/xps application/vnd.ms-xpsdocument
        application/x-onenote application/msonenote application/onenote
        application/haansofthwp application/vnd.hancom.hwp application/x-hwp
        application/x-pkcs12 application/pkcs12
        audio/audible audio/x-pn-audibleaudio
        audio/qcelp audio/vnd.qcelp
        application/cdfv2 application/x-cdf-v2 application/x-ole application/x-ole-storage
        image/x-jb2 image/jbig2 image/x-jbig2
        application/vnd.ms-word.2003xml application/msword+xml application/vnd.ms-wordml
        application/x-bentley-dgn application/vnd.dgn image/x-dgn application/x-dgn image/vnd.dgn
        application/x-sas-transport application/x-sas-xpt application/x-sas-xport
        # Pictures
        image/jpg image/pjpeg image/jpe image/x-jpeg image/x-jpg image/jfif image/jpeg
        image/x-png image/vnd.png image/png
        image/vnd.mozilla.apng image/apng
        image/x-gif image/gif
        image/tif image/x-tiff image/x-tif application/tiff image/tiff
        image/x-bmp image/x-ms-bmp image/x-ms-bitmap image/x-windows-bmp image/bmp
        image/x-icon image/ico image/icon image/x-ico application/ico text/ico image/vnd.microsoft.icon
        image/x-cur image/vnd.microsoft.cursor image/x-cursor image/x-win-bitmap
        image/icns image/x-icns
        image/heic image/heic-sequence image/heif-sequence image/heics image/heifs image/heif
        image/avif-sequence image/avis image/avif
        image/x-webp image/webp
        image/x-jxl image/jxl
        image/vnd.ms-photo image/jxr
        image/jpeg2000 image/jpeg2000-image image/x-jpeg2000-image image/x-jp2 image/jp2
        image/j2c image/j2k image/x-j2c image/x-jp2-codestream
        image/svg image/svg-xml text/xml-svg image/vnd.adobe.svg+xml image/svg+xml
        image/psd image/x-psd image/photoshop image/x-photoshop application/photoshop image/vnd.adobe.photoshop
        application/x-photoshop image/vnd.adobe.photoshop
        application/x-xcf image/xcf image/x-xcf
        image/targa image/tga image/x-icb image/x-targa application/tga application/x-tga image/x-tga
        image/pict image/pct image/x-pct image/x-pict
        image/x-pcx image/pcx image/vnd.zbrush.pcx
        image/x-portable-greymap image/pgm image/x-portable-graymap
        image/ppm image/x-ppm image/x-portable-pixmap
        image/pbm image/x-portable-bitmap
        image/x-xbm image/xbm image/x-xbitmap
        image/x-xpm image/xpm image/x-xpmi image/x-xpixmap
        image/exr image/x-openexr image/x-exr
        image/x-hdr image/hdr image/x-radiance image/vnd.radiance
        image/vnd.ms-dds image/dds image/vnd-ms.dds image/x-dds
        image/sgi image/x-sgi
        image/x-emf application/x-emf application/emf image/emf
        image/x-wmf application/x-wmf application/wmf application/x-msmetafile windows/metafile image/wmf
        image/dng image/x-raw-adobe image/x-dng image/x-adobe-dng
        image/x-raw-nikon image/nef image/x-nikon-nef
        image/x-raw-canon image/x-canon-cr2
        image/x-raw-sony image/x-sony-arw
        image/x-raw-fuji image/x-fuji-raf
        image/x-raw-olympus image/x-olympus-orf
        image/x-raw-pentax image/x-pentax-pef
        image/x-raw-panasonic image/x-panasonic-raw image/x-panasonic-rw
        image/x-panasonic-raw2 image/x-panasonic-rw2
        image/x.djvu image/x-djvu image/djvu image/vnd.djvu
        image/x-dwg image/dwg application/acad application/x-acad application/dwg application/x-dwg image/vnd.dwg
        application/autocad_dwg image/vnd.dwg
        image/x-dxf application/dxf application/x-dxf image/dxf image/vnd.dxf
        image/bpg image/x-bpg
        image/x-qoi image/qoi
        image/x-paintshoppro image/x-psp
        image/x-flif image/flif
        image/x-mpo image/mpo
        image/x-fits image/fits application/x-fits application/fits
        # Sound and films
        audio/mp3 audio/x-mp3 audio/x-mpeg audio/mpeg3 audio/x-mpeg-3 audio/mpg audio/x-mpg audio/mpeg
        audio/x-mp2 audio/mp2
        audio/m4a audio/x-m4a audio/x-mp4 audio/mp4a-latm audio/mp4
        audio/x-aac audio/x-hx-aac-adts audio/vnd.dlna.adts audio/aacp audio/x-hx-aac-adif audio/aac
        audio/vnd.wave audio/wav audio/wave audio/x-pn-wav audio/x-wav
        audio/x-flac audio/flac
        audio/x-oggflac audio/x-flac+ogg
        audio/ogg-vorbis audio/x-vorbis audio/vorbis audio/x-vorbis+ogg
        audio/opus audio/x-opus audio/x-opus+ogg
        audio/speex audio/x-speex+ogg
        audio/x-ogg audio/ogg
        application/x-ogg application/ogg
        video/x-ogg video/ogg
        audio/aiff audio/aif audio/x-aif audio/x-aiff
        audio/x-au audio/au audio/x-basic audio/basic
        audio/x-midi audio/mid audio/x-mid audio/sp-midi audio/midi
        audio/caf audio/x-caf
        audio/x-ac3 audio/vnd.dolby.dd-raw audio/ac3
        audio/x-eac3 audio/eac3
        audio/x-amr audio/amr-nb audio/amr
        audio/x-amr-wb audio/amr-wb
        audio/x-dts audio/dts audio/vnd.dts
        audio/x-dtshd audio/vnd.dts.hd
        audio/ape audio/x-monkeys-audio audio/x-ape
        audio/musepack audio/mpc audio/x-musepack
        audio/wavpack audio/x-wavpack
        audio/tta audio/x-tta
        audio/x-wma audio/wma audio/x-ms-wma
        audio/x-pn-realaudio audio/x-realaudio audio/vnd.rn-realaudio
        audio/m3u audio/mpegurl audio/x-m3u audio/x-mp3-playlist application/x-mpegurl application/m3u audio/x-mpegurl
        audio/scpls application/pls audio/x-scpls
        video/mp4v-es video/x-m4v video/mpeg4 video/x-mp4 video/mp4
        video/mov video/x-quicktime image/mov video/quicktime
        video/avi video/msvideo video/vnd.avi video/divx video/x-avi application/x-troff-msvideo video/x-msvideo
        video/mpg video/x-mpeg video/x-mpeg2 video/mpeg-system video/x-mpeg-system video/mpeg2 video/x-mpg video/mpeg
        video/mpeg2-ts video/x-mpeg-ts video/mpegts video/mp2t
        video/x-matroska-video video/mkv video/x-matroska
        audio/mka audio/x-matroska
        video/x-webm video/webm
        video/flv application/x-flash-video flv-application/octet-stream video/x-flv
        video/x-ms-asf video/asf video/x-ms-wm video/x-ms-asf-plugin application/x-asf application/vnd.ms-asf
        video/wmv video/x-wmv video/x-ms-wmv
        video/3gp audio/3gpp video/3gpp-encrypted audio/3gpp-encrypted video/3gpp
        video/3gp2 audio/3gpp2 video/3gpp2
        video/x-dv video/dv
        video/x-fli video/fli video/x-flic
        application/vnd.rn-realmedia-vbr video/vnd.rn-realmedia application/vnd.rn-realmedia
        application/x-mxf video/mxf application/mxf
        application/x-shockwave-flash application/futuresplash application/vnd.adobe.flash.movie
        # Archives
        application/x-zip application/x-zip-compressed application/zip-compressed multipart/x-zip application/zip
        application/x-gzip application/gzip-compressed application/x-gunzip application/gzip
        application/x-gzip-compressed application/gzip
        application/x-bzip2 application/bzip2 application/bz2 application/x-bz2 application/x-bzip
        application/xz application/x-xz
        application/lz4 application/x-lz4-compressed application/x-lz4
        application/x-zstd application/x-zstandard application/zstd
        application/lzip application/x-lzip
        application/x-snappy application/x-snappy-framed
        application/x-gtar application/tar application/x-tar
        application/x-tgz application/x-gtar-compressed application/x-compressed-tar
        application/x-7z application/7z application/x-7z-compressed
        application/x-rar application/x-rar-compressed application/rar application/vnd.rar
        application/x-ace-compressed application/x-ace
        application/lha application/x-lharc application/x-lzh application/x-lzh-compressed application/x-lha
        application/lzh application/x-lha
        application/arj application/x-arj
        application/x-cab application/cab application/x-cabinet application/vnd.ms-cab-compressed
        application/x-deb application/x-debian-package application/vnd.debian.binary-package
        application/x-redhat-package-manager application/x-rpm
        application/xar application/x-xar
        application/x-sit application/stuffit application/x-stuffit
        application/x-dmg application/x-apple-diskimage
        application/x-iso9660-image application/vnd.efi.iso application/iso application/x-iso application/x-cd-image
        application/java-archive application/x-jar application/jar application/x-java-archive
        application/x-ar application/x-unix-archive application/x-archive
        application/x-warc application/warc
        application/x-cbz application/vnd.comicbook+zip
        application/x-cbr application/vnd.comicbook-rar
        application/x-apk application/vnd.android.package-archive
        application/x-compressed-zlib application/x-zlib application/zlib
        # Text and data as text
        text/x-markdown text/x-web-markdown text/x-gfm text/markdown
        text/x-csv text/x-comma-separated-values text/comma-separated-values application/csv text/csv
        application/x-csv text/csv
        text/tsv text/x-tsv text/x-tab-separated-values text/tab-separated-values
        text/json text/x-json application/x-json application/json
        application/jsonl application/x-jsonl application/jsonlines application/x-jsonlines application/x-ndjson
        text/xml application/x-xml application/xml
        application/yaml text/yaml text/x-yaml application/x-yaml
        application/x-toml text/x-toml text/toml application/toml
        text/javascript application/x-javascript text/x-javascript text/jscript application/javascript
        application/typescript application/x-typescript text/x-typescript text/typescript
        application/html text/htm application/x-html text/html
        application/xhtml application/x-xhtml+xml application/xhtml+xml
        text/x-vcard text/directory application/vcard text/vcard
        text/x-vcalendar application/ics application/x-ics text/x-ical text/calendar
        text/x-srt application/x-srt text/srt application/x-subrip
        text/x-vtt text/webvtt text/vtt
        text/rss text/x-rss application/x-rss+xml application/rss application/rss+xml
        text/atom application/atom application/atom+xml
        application/gpx text/x-gpx application/x-gpx+xml application/x-gpx application/gpx+xml
        application/kml application/x-kml application/vnd.google-earth.kml+xml
        application/geojson application/x-geojson application/vnd.geo+json application/geo+json
        application/x-sql text/x-sql text/sql application/sql
        application/x-diff text/x-diff text/diff text/x-patch
        text/x-po application/x-gettext text/x-gettext-translation
        application/x-asprs application/x-las application/vnd.las
        application/x-laz application/vnd.laszip
        application/x-tex text/x-latex application/x-latex text/x-tex
        application/x-x509-cert application/x-pem-file
        application/x-apple-plist application/x-plist
        application/x-apple-binary-plist application/x-bplist
        # Links, pages, mail
        application/x-url application/internet-shortcut application/x-mswinurl
        application/x-mslnk application/lnk application/x-win-lnk application/x-lnk application/x-ms-shortcut
        application/x-gnome-app-info text/x-desktop application/x-desktop
        application/x-bplist-webarchive application/x-webarchive
        text/x-mht multipart/x-mht application/mhtml application/x-mht application/x-mimearchive
        message/x-rfc822 message/email text/x-mail message/rfc822
        application/x-mbox text/x-mbox text/mbox application/mbox
        application/ms-tnef application/x-tnef application/vnd.ms-tnef
        application/x-msg application/msoutlook application/x-outlook-msg application/vnd.ms-outlook
        application/x-ms-pst application/x-pst application/x-outlook-pst application/vnd.ms-outlook-pst
        application/x-pkcs7-mime application/pkcs7-mime
        application/x-pkcs7-signature application/pkcs7-signature
        application/pgp application/x-pgp application/pgp-encrypted
        # Source code
        text/x-script.python text/python application/x-python text/x-python-script text/x-python
        text/x-csource text/x-c text/x-csrc
        text/x-c++ text/x-cpp text/x-c++src
        text/x-h text/x-chdr
        text/x-java-source text/java text/x-java
        text/x-ruby text/ruby text/x-ruby-script application/x-ruby-script application/x-ruby
        text/x-perl application/perl text/x-perl-script application/x-perl
        text/x-php text/php application/php application/x-httpd-php application/x-php
        text/x-shellscript text/x-sh application/x-sh text/x-script.sh application/x-shellscript
        text/x-rust application/x-rust text/rust
        text/swift text/x-swift
        text/x-gosrc text/x-go
        text/x-assembly text/x-asm
        text/x-zig text/zig
        text/x-msdos-batch text/x-bat application/bat application/x-bat
        text/x-smali application/x-smali
        text/x-dockerfile.config text/x-dockerfile
        text/x-objective-c text/x-objcsrc
        text/x-objective-c++ text/x-objc++src
        text/x-makefile-source text/x-make text/x-makefile
        text/x-pascal-source text/x-pascal
        text/x-lua-source application/x-lua text/x-lua
        text/x-awk application/x-awk
        # Programs, fonts, the rest
        application/vnd.microsoft.portable-executable application/x-dosexec application/x-ms-dos-executable
        application/x-msdownload application/x-msdos-program application/x-exe application/x-ms-dos-executable
        application/exe application/x-winexe application/x-ms-dos-executable
        application/x-elf application/x-executable-elf application/x-executable
        application/x-java-applet application/java-vm application/x-java-class application/x-java
        application/java-byte-code application/x-java
        application/x-bytecode.python application/x-python-code application/x-python-bytecode
        application/x-wasm application/wasm
        application/x-sqlite3 application/sqlite3 application/x-sqlite application/vnd.sqlite3
        application/x-hdf5 application/hdf5 application/x-hdf
        application/x-avro application/avro
        application/x-ds-store application/x-apple-ds_store
        application/x-doom application/x-doom-wad
        application/x-pcap application/pcap application/x-tcpdump application/vnd.tcpdump.pcap
        font/sfnt application/font-sfnt application/x-font-ttf application/x-font-truetype font/ttf
        application/font-ttf application/x-truetype-font font/truetype font/ttf
        application/x-font-otf application/vnd.ms-opentype application/font-otf application/x-font-opentype font/otf
        font/opentype font/otf
        application/font-woff application/x-font-woff application/font-x-woff font/woff
        application/font-woff2 application/x-font-woff2 font/woff2
        application/x-font-ttc application/x-font-collection font/collection
        application/font-pfb application/x-font-pfb application/x-font-pfa application/x-font-type1
        application/sla application/vnd.ms-pki.stl application/x-stl model/x.stl-ascii model/x.stl-binary model/stl
        model/x-stl model/stl
        application/vnd.ms-package.3dmanufacturing-3dmodel+xml model/3mf
        application/x-dicom application/dicom
        application/x-nds application/x-nintendo-ds-rom
        inode/x-empty application/x-empty application/x-zerosize
        """
}
