extension BundledMIME {
    static let documentGlobs: StaticString = """
        50:application/pdf:*.pdf
        50:application/postscript:*.ps
        50:image/x-eps:*.eps *.epsf *.epsi
        50:application/illustrator:*.ai
        50:application/rtf:*.rtf
        50:application/msword:*.doc
        50:application/msword-template:*.dot
        50:application/vnd.ms-excel:*.xls *.xlt *.xla *.xlc *.xlm *.xlw
        50:application/vnd.ms-powerpoint:*.ppt *.pps *.pot
        50:application/vnd.visio:*.vsd *.vst *.vss *.vsw
        50:application/vnd.ms-publisher:*.pub
        50:application/vnd.ms-project:*.mpp
        50:application/vnd.ms-works:*.wps *.wks *.wcm *.wdb
        50:application/vnd.openxmlformats-officedocument.wordprocessingml.document:*.docx
        50:application/vnd.openxmlformats-officedocument.wordprocessingml.template:*.dotx
        50:application/vnd.openxmlformats-officedocument.spreadsheetml.sheet:*.xlsx
        50:application/vnd.openxmlformats-officedocument.spreadsheetml.template:*.xltx
        50:application/vnd.openxmlformats-officedocument.presentationml.presentation:*.pptx
        50:application/vnd.openxmlformats-officedocument.presentationml.slideshow:*.ppsx
        50:application/vnd.openxmlformats-officedocument.presentationml.template:*.potx
        50:application/vnd.openxmlformats-officedocument.presentationml.slide:*.sldx
        50:application/vnd.ms-word.document.macroenabled.12:*.docm
        50:application/vnd.ms-word.template.macroenabled.12:*.dotm
        50:application/vnd.ms-excel.sheet.macroenabled.12:*.xlsm
        50:application/vnd.ms-excel.template.macroenabled.12:*.xltm
        50:application/vnd.ms-excel.sheet.binary.macroenabled.12:*.xlsb
        50:application/vnd.ms-excel.addin.macroenabled.12:*.xlam
        50:application/vnd.ms-powerpoint.presentation.macroenabled.12:*.pptm
        50:application/vnd.ms-powerpoint.slideshow.macroenabled.12:*.ppsm
        50:application/vnd.ms-powerpoint.template.macroenabled.12:*.potm
        50:application/vnd.ms-powerpoint.addin.macroenabled.12:*.ppam
        50:application/vnd.ms-powerpoint.slide.macroenabled.12:*.sldm
        50:application/vnd.ms-visio.drawing.main+xml:*.vsdx
        50:application/vnd.ms-visio.drawing.macroenabled.main+xml:*.vsdm
        50:application/vnd.ms-visio.stencil.main+xml:*.vssx
        50:application/vnd.ms-visio.template.main+xml:*.vstx
        50:application/vnd.oasis.opendocument.text:*.odt
        50:application/vnd.oasis.opendocument.text-template:*.ott
        50:application/vnd.oasis.opendocument.text-master:*.odm
        50:application/vnd.oasis.opendocument.text-web:*.oth
        50:application/vnd.oasis.opendocument.spreadsheet:*.ods
        50:application/vnd.oasis.opendocument.spreadsheet-template:*.ots
        50:application/vnd.oasis.opendocument.presentation:*.odp
        50:application/vnd.oasis.opendocument.presentation-template:*.otp
        50:application/vnd.oasis.opendocument.graphics:*.odg
        50:application/vnd.oasis.opendocument.graphics-template:*.otg
        50:application/vnd.oasis.opendocument.formula:*.odf
        50:application/vnd.oasis.opendocument.chart:*.odc
        50:application/vnd.oasis.opendocument.image:*.odi
        50:application/vnd.oasis.opendocument.database:*.odb
        50:application/vnd.oasis.opendocument.text-flat-xml:*.fodt
        50:application/vnd.oasis.opendocument.spreadsheet-flat-xml:*.fods
        50:application/vnd.oasis.opendocument.presentation-flat-xml:*.fodp
        50:application/vnd.oasis.opendocument.graphics-flat-xml:*.fodg
        50:application/vnd.sun.xml.writer:*.sxw
        50:application/vnd.sun.xml.calc:*.sxc
        50:application/vnd.sun.xml.impress:*.sxi
        50:application/vnd.sun.xml.draw:*.sxd
        50:application/vnd.sun.xml.math:*.sxm
        50:application/vnd.openofficeorg.autotext:*.bau
        50:application/vnd.apple.pages:*.pages
        50:application/vnd.apple.numbers:*.numbers
        80:application/vnd.apple.keynote:*.key
        50:application/epub+zip:*.epub
        50:application/x-mobipocket-ebook:*.mobi *.prc
        50:application/vnd.amazon.mobi8-ebook:*.azw3 *.kfx
        50:application/x-fictionbook+xml:*.fb2
        50:application/vnd.ms-htmlhelp:*.chm
        50:application/oxps:*.oxps
        50:application/vnd.ms-xpsdocument:*.xps
        50:application/onenote:*.one
        50:application/x-adobe-indesign:*.indd
        50:application/x-hwp:*.hwp
        50:application/vnd.wordperfect:*.wpd *.wp *.wp5 *.wp6
        50:application/x-abiword:*.abw
        50:application/x-scribus:*.sla
        """

    static let pictureGlobs: StaticString = """
        50:image/jpeg:*.jpg *.jpeg *.jpe *.jfif
        50:image/png:*.png
        50:image/apng:*.apng
        50:image/gif:*.gif
        50:image/webp:*.webp
        50:image/bmp:*.bmp *.dib
        50:image/tiff:*.tif *.tiff
        50:image/heif:*.heic *.heif *.heics *.heifs *.hif
        50:image/avif:*.avif *.avifs
        50:image/jxl:*.jxl
        50:image/jxr:*.jxr *.wdp *.hdp
        50:image/jp2:*.jp2 *.jpg2
        50:image/x-jp2-codestream:*.j2c *.j2k *.jpc
        50:image/jpx:*.jpx *.jpf
        50:image/jpm:*.jpm
        50:image/svg+xml:*.svg
        50:image/svg+xml-compressed:*.svgz
        50:image/vnd.microsoft.icon:*.ico
        50:image/x-win-bitmap:*.cur
        50:image/x-icns:*.icns
        50:image/vnd.adobe.photoshop:*.psd *.psb
        50:image/x-xcf:*.xcf
        50:application/x-krita:*.kra
        50:image/openraster:*.ora
        50:image/x-tga:*.tga *.icb *.tpic *.vda *.vst
        50:image/vnd.zbrush.pcx:*.pcx
        50:image/x-portable-bitmap:*.pbm
        50:image/x-portable-graymap:*.pgm
        50:image/x-portable-pixmap:*.ppm
        50:image/x-portable-anymap:*.pnm
        50:image/x-xbitmap:*.xbm
        50:image/x-xpixmap:*.xpm
        50:image/x-exr:*.exr
        50:image/vnd.radiance:*.hdr
        50:image/x-dds:*.dds
        50:image/x-sgi:*.sgi
        50:image/x-pict:*.pict *.pct *.pict1 *.pict2
        50:image/x-sun-raster:*.sun
        50:image/emf:*.emf
        50:image/wmf:*.wmf
        50:application/fits:*.fits *.fit *.fts
        50:image/vnd.djvu:*.djvu *.djv
        50:image/vnd.dwg:*.dwg
        50:image/vnd.dxf:*.dxf
        50:image/x-bpg:*.bpg
        50:image/x-jbig:*.jbg *.jbig *.bie
        50:image/qoi:*.qoi
        50:image/flif:*.flif
        50:image/ktx:*.ktx
        50:image/ktx2:*.ktx2
        50:image/x-adobe-dng:*.dng
        50:image/x-nikon-nef:*.nef
        50:image/x-nikon-nrw:*.nrw
        50:image/x-canon-cr2:*.cr2
        50:image/x-canon-cr3:*.cr3
        50:image/x-canon-crw:*.crw
        50:image/x-sony-arw:*.arw
        50:image/x-sony-sr2:*.sr2
        50:image/x-sony-srf:*.srf
        50:image/x-fuji-raf:*.raf
        50:image/x-olympus-orf:*.orf
        50:image/x-pentax-pef:*.pef
        50:image/x-panasonic-rw:*.raw
        50:image/x-panasonic-rw2:*.rw2 *.rwl
        50:image/x-kodak-dcr:*.dcr
        50:image/x-kodak-kdc:*.kdc
        50:image/x-minolta-mrw:*.mrw
        50:image/x-sigma-x3f:*.x3f
        50:image/x-epson-erf:*.erf
        50:image/x-hasselblad-3fr:*.3fr
        50:image/x-hasselblad-fff:*.fff
        50:image/x-phaseone-iiq:*.iiq
        50:image/x-mamiya-mef:*.mef
        50:image/x-leaf-mos:*.mos
        50:image/x-samsung-srw:*.srw
        """

    static let soundGlobs: StaticString = """
        50:audio/mpeg:*.mp3 *.mpga
        50:audio/mp2:*.mp2
        50:audio/mp4:*.m4a *.f4a
        50:audio/x-m4b:*.m4b *.f4b
        50:audio/x-m4r:*.m4r
        50:audio/aac:*.aac *.adts
        50:audio/x-wav:*.wav
        50:audio/flac:*.flac
        50:audio/ogg:*.oga *.ogg *.opus
        50:audio/x-opus+ogg:*.opus
        50:audio/x-vorbis+ogg:*.ogg
        50:audio/x-speex+ogg:*.ogg
        50:audio/x-speex:*.spx
        50:video/x-theora+ogg:*.ogg
        50:application/ogg:*.ogx
        50:video/ogg:*.ogv
        50:video/x-ogm+ogg:*.ogm
        50:audio/x-aiff:*.aif *.aiff
        50:audio/x-aifc:*.aifc *.aiffc
        50:audio/basic:*.au *.snd
        50:audio/midi:*.mid *.midi *.kar
        50:audio/x-caf:*.caf
        50:audio/ac3:*.ac3
        50:audio/eac3:*.eac3 *.ec3
        50:audio/amr:*.amr
        50:audio/amr-wb:*.awb
        50:audio/vnd.dts:*.dts
        50:audio/vnd.dts.hd:*.dtshd
        50:audio/x-ape:*.ape
        50:audio/x-musepack:*.mpc *.mp+ *.mpp
        50:audio/x-wavpack:*.wv *.wvp
        50:audio/x-tta:*.tta
        50:audio/x-ms-wma:*.wma
        50:audio/vnd.rn-realaudio:*.ra *.rax
        50:audio/x-matroska:*.mka
        50:audio/webm:*.weba
        50:audio/x-mpegurl:*.m3u *.vlc
        50:application/vnd.apple.mpegurl:*.m3u8
        50:audio/x-scpls:*.pls
        50:audio/vnd.audible.aax:*.aax
        50:audio/x-mod:*.mod *.ult *.uni *.m15 *.mtm *.669
        50:audio/x-xm:*.xm
        50:audio/x-it:*.it
        50:audio/x-s3m:*.s3m
        50:audio/x-voc:*.voc
        50:video/mp4:*.mp4 *.m4v *.f4v *.lrv
        50:video/quicktime:*.mov *.qt *.moov *.qtvr
        50:video/x-msvideo:*.avi *.divx *.avf
        50:video/mpeg:*.mpg *.mpeg *.mpe *.m2v *.vob
        50:video/mp2t:*.ts *.m2ts *.mts *.m2t *.cpi *.clpi *.mpl *.mpls *.bdm *.bdmv
        50:text/vnd.trolltech.linguist:*.ts
        50:video/x-matroska:*.mkv
        50:video/webm:*.webm
        50:video/x-flv:*.flv
        50:application/vnd.ms-asf:*.asf
        50:video/x-ms-wmv:*.wmv
        50:video/3gpp:*.3gp *.3gpp *.3ga
        50:video/3gpp2:*.3g2 *.3gp2 *.3gpp2
        50:video/dv:*.dv
        50:video/mj2:*.mj2 *.mjp2
        50:video/x-flic:*.fli *.flc
        50:video/x-mng:*.mng
        50:application/vnd.rn-realmedia:*.rm *.rmvb *.rmj *.rmm *.rms *.rmx
        50:application/mxf:*.mxf
        50:application/vnd.adobe.flash.movie:*.swf *.spl
        """
}
