extension BundledMIME {
    static let otherGlobs: StaticString = """
        # Archives
        50:application/zip:*.zip *.zipx
        50:application/gzip:*.gz
        50:application/x-compressed-tar:*.tar.gz *.tgz
        50:application/x-bzip:*.bz2 *.bz
        50:application/x-bzip-compressed-tar:*.tar.bz2 *.tbz2 *.tbz *.tb2
        50:application/x-xz:*.xz
        50:application/x-xz-compressed-tar:*.tar.xz *.txz
        50:application/zstd:*.zst
        50:application/x-zstd-compressed-tar:*.tar.zst *.tzst
        50:application/x-lzma:*.lzma
        50:application/x-lzma-compressed-tar:*.tar.lzma *.tlz
        50:application/x-lz4:*.lz4
        50:application/x-lzip:*.lz
        50:application/x-lzop:*.lzo
        50:application/x-compress:*.Z:cs
        50:application/x-tar:*.tar *.gtar
        50:application/x-7z-compressed:*.7z
        50:application/vnd.rar:*.rar
        50:application/x-ace:*.ace
        50:application/x-lha:*.lha *.lzh
        50:application/x-arj:*.arj
        50:application/x-cpio:*.cpio
        50:application/x-archive:*.a *.ar
        50:application/vnd.debian.binary-package:*.deb *.udeb
        50:application/x-rpm:*.rpm
        50:application/x-xar:*.xar *.pkg
        50:application/x-stuffit:*.sit
        50:application/x-apple-diskimage:*.dmg
        80:application/x-cd-image:*.iso
        50:application/vnd.ms-cab-compressed:*.cab
        50:application/x-java-archive:*.jar
        50:application/vnd.android.package-archive:*.apk
        50:application/vnd.apple.pkpass:*.pkpass
        50:application/vnd.google-earth.kmz:*.kmz
        50:application/vnd.comicbook+zip:*.cbz
        50:application/vnd.comicbook-rar:*.cbr
        50:application/x-xpinstall:*.xpi
        50:application/warc:*.warc
        50:application/x-brotli:*.br
        50:application/vnd.snap:*.snap
        50:application/x-kword:*.kwd *.kwt
        50:application/x-kspread:*.ksp
        50:application/x-kpresenter:*.kpr *.kpt
        60:application/vnd.appimage:*.appimage
        # Programs and their data
        50:application/x-mysql-misam-data:*.MYD
        50:application/x-mysql-misam-index:*.MYI
        50:application/x-mysql-table-definition:*.frm
        50:application/x-axcrypt:*.axx
        50:application/x-sas-data:*.sas7bdat *.sd2 *.sd7
        50:application/x-sas-xport:*.xpt *.xport
        50:image/vnd.dgn:*.dgn
        50:application/x-ms-dos-executable:*.exe
        50:application/x-msi:*.msi
        50:application/x-sharedlib:*.so
        60:application/x-sharedlib:*.so.[0-9]*
        50:application/x-java:*.class
        50:application/wasm:*.wasm
        50:application/x-python-bytecode:*.pyc *.pyo
        50:application/vnd.tcpdump.pcap:*.pcap *.cap *.dmp
        50:application/x-pcapng:*.pcapng *.ntar
        50:application/vnd.sqlite3:*.sqlite3 *.sqlite
        50:application/vnd.geopackage+sqlite3:*.gpkg
        50:application/x-hdf:*.hdf *.hdf4 *.h4 *.hdf5 *.h5
        50:application/x-netcdf:*.nc *.cdf
        50:application/vnd.apache.parquet:*.parquet
        50:application/vnd.apache.arrow.file:*.arrow
        50:application/avro:*.avro
        50:application/dicom:*.dcm dicomdir
        50:application/x-pytorch:*.pth
        50:application/x-apple-ds_store:.ds_store
        80:application/x-doom-wad:*.wad
        50:application/x-bittorrent:*.torrent
        50:application/vnd.iccprofile:*.icc *.icm
        # Fonts
        50:font/ttf:*.ttf
        50:font/otf:*.otf
        50:font/collection:*.ttc
        50:font/woff:*.woff
        50:font/woff2:*.woff2
        50:application/vnd.ms-fontobject:*.eot
        50:application/x-font-type1:*.pfa *.pfb *.gsf
        # Models
        50:model/stl:*.stl
        50:model/obj:*.obj
        50:model/mtl:*.mtl
        50:model/3mf:*.3mf
        50:model/gltf-binary:*.glb
        50:model/gltf+json:*.gltf
        50:model/vnd.usdz+zip:*.usdz
        50:model/iges:*.igs *.iges
        50:model/step:*.stp *.step
        # Copies and old versions
        50:application/x-trash:*~ *.bak *.old *.sik *.tmp
        """
}
