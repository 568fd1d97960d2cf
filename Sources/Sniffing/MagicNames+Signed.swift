internal import ShareModel

extension MagicNames {
    /// The types that libmagic 5.44 or the shared MIME database 2.2 recognize by a signature, and no rule here; see
    /// ``UnsignedTypes``.
    static let signed: [MediaType] = names.split(separator: " ").compactMap { MediaType(String($0)) }

    private static let names = """
        application/annodex application/cbor application/marc application/ogg application/ovf application/pkcs10 \
        application/pkcs12 application/pkcs8 application/pkcs8-encrypted application/pkix-cert application/pkix-crl \
        application/prs.plucker application/sereal application/syzygy application/vnd-ms-works \
        application/vnd.amazon.mobi8-ebook application/vnd.appimage application/vnd.cups-ppd \
        application/vnd.cups-raster application/vnd.emusic-emusic_package application/vnd.framemaker \
        application/vnd.gentoo.catmetadata+xml application/vnd.gentoo.ebuild application/vnd.gentoo.eclass \
        application/vnd.gentoo.gpkg application/vnd.gentoo.xpak application/vnd.hdt application/vnd.hp-HPGL \
        application/vnd.lotus-wordpro application/vnd.ms-opentype application/vnd.oasis.opendocument.chart-template \
        application/vnd.oasis.opendocument.formula-template application/vnd.resilient.logic application/vnd.sar \
        application/vnd.sketchup.skp application/vnd.snap application/vnd.sqlite3 application/vnd.stardivision.mail \
        application/vnd.sun.xml.writer application/vnd.symbian.install application/x-abook-addressbook \
        application/x-ace-compressed application/x-acorn-68E application/x-acronis-tib application/x-adrift \
        application/x-aes-encrypted application/x-amiga-disk-format application/x-appleworks3 \
        application/x-applix-spreadsheet application/x-applix-word application/x-arc application/x-asar \
        application/x-atari-7800-rom application/x-atari-lynx-rom application/x-atari-msa application/x-avira-qua \
        application/x-avm-export application/x-bcpio application/x-bentley-dgn application/x-borland-cbt \
        application/x-bytecode.python application/x-bzip application/x-c32-comboot-syslinux-exec application/x-cdf \
        application/x-clamav-database application/x-compress-cazip application/x-compress-ftcomp \
        application/x-compress-j application/x-compress-jar application/x-compressed-iso application/x-core \
        application/x-crypt-nc application/x-dar application/x-dc-rom application/x-dif application/x-dmp \
        application/x-dosexec application/x-dreamcast-rom application/x-dzip application/x-ebu-stl \
        application/x-edi-pack-lzss application/x-edid-dump application/x-eet application/x-elc \
        application/x-epoc-agenda application/x-fds-disk application/x-font-dos application/x-font-framemaker \
        application/x-font-libgrx application/x-font-linux-psf application/x-font-pf2 application/x-font-pfm \
        application/x-font-sfn application/x-font-speedo application/x-font-sunos-news application/x-font-tex \
        application/x-font-tex-tfm application/x-font-vfont application/x-freemind application/x-freeplane \
        application/x-fzip application/x-gamecube-rom application/x-garmin-gpm application/x-gdbm \
        application/x-genesis-32x-rom application/x-genesis-rom application/x-geoswath-rdf application/x-git \
        application/x-glulx application/x-godot-resource application/x-google-ab application/x-grub-keyboard \
        application/x-gtktalog application/x-gzip application/x-ia-arc application/x-ichitaro4 \
        application/x-ichitaro5 application/x-ichitaro6 application/x-iff application/x-innosetup \
        application/x-innosetup-msg application/x-installshield-compress-szdd application/x-installshield-ins \
        application/x-ipod-firmware application/x-iso9660-appimage application/x-it87 application/x-java-applet \
        application/x-java-image application/x-java-jmod application/x-kdelnk application/x-killustrator \
        application/x-kpovmodeler application/x-kspread-crypt application/x-ksysv-package application/x-kword-crypt \
        application/x-lhz application/x-lz4+json application/x-maple-hdb application/x-maple-lib \
        application/x-matroska application/x-maxis-dbpf application/x-mif application/x-mobi8-ebook \
        application/x-ms-compress-kwaj application/x-ms-compress-sz application/x-ms-dbx application/x-ms-ese \
        application/x-ms-mig application/x-ms-nickfile application/x-ms-pdb application/x-ms-sdb \
        application/x-ms-sdi application/x-nekovm-bytecode application/x-neo-geo-pocket-color-rom \
        application/x-neo-geo-pocket-rom application/x-nettl application/x-nintendo-ds-rom \
        application/x-norton-guide application/x-norton-msg application/x-novell-compress application/x-nrg \
        application/x-numpy-data application/x-oleo application/x-openzim application/x-os2-hlp \
        application/x-os2-inf application/x-os2-ini application/x-os2-msg application/x-os2-wpi application/x-pak \
        application/x-pef+xml application/x-pef-executable application/x-perfmon application/x-pocket-word \
        application/x-putty-private-key application/x-qpress application/x-quark-xpress-3 \
        application/x-quicktime-player application/x-rar application/x-raspberry-eeprom application/x-riff \
        application/x-saturn-rom application/x-sc application/x-scribus application/x-sega-cd-rom \
        application/x-sega-pico-rom application/x-setupscript application/x-stargallery-sdg \
        application/x-stargallery-thm application/x-std-dictionary application/x-sv4cpio application/x-sv4crc \
        application/x-svr4-package application/x-sylk application/x-t3vm-image application/x-t602 application/x-tads \
        application/x-tasmota-dmp application/x-tex-gf application/x-tex-pk application/x-thomson-sap-image \
        application/x-tokyocabinet-hash application/x-ustar application/x-virtualbox-vhd application/x-wii-rom \
        application/x-winhelp application/x-winhelp-fts application/x-wordperfect-wpm application/x-xbmc-xbt \
        application/x-xz-compressed-tar application/x-zip application/x-zip-compressed-fb2 application/x-zmachine \
        audio/annodex audio/flac audio/mobile-xmf audio/usac audio/vnd.dolby.dd-raw audio/x-adpcm audio/x-adx \
        audio/x-bcstm audio/x-bcwav audio/x-bfstm audio/x-brstm audio/x-dec-basic audio/x-hx-aac-adif \
        audio/x-hx-aac-adts audio/x-iriver-pla audio/x-m4r audio/x-mp4a-latm audio/x-pn-audibleaudio audio/x-psf \
        audio/x-sap audio/x-speex audio/x-stm audio/x-vpm-garmin audio/x-vpm-wav-garmin audio/x-wav \
        audio/x-wavpack-correction audio/x-xbox-executable audio/x-xbox360-executable audio/x-xi audio/x-xmf \
        biosig/abf2 biosig/alpha biosig/ates biosig/atf biosig/axg biosig/axona biosig/bci2000 biosig/bdf \
        biosig/brainvision biosig/ced biosig/ced-smr biosig/cfwb biosig/demg biosig/ebs biosig/edf biosig/embla \
        biosig/etg4000 biosig/fef biosig/fiff biosig/galileo biosig/gdf biosig/heka biosig/igorpro biosig/ishne \
        biosig/mfer biosig/nev biosig/nex1 biosig/plexon biosig/scpecg biosig/sigif biosig/sigma biosig/synergy \
        biosig/tms32 biosig/tmsilog biosig/unipro biosig/walter-graphtek biosig/wcp font/ttf font/x-amiga-font \
        font/x-dos-cpi font/x-drdos-cpi font/x-postscript-pfb image/bpg image/vnd.djvu+multipage image/x-3ds \
        image/x-applix-graphics image/x-award-bioslogo image/x-award-bioslogo2 image/x-cmu-raster \
        image/x-compressed-xcf image/x-corel-bmf image/x-corel-cpt image/x-cpi image/x-dcx image/x-deskmate-fig \
        image/x-dib image/x-dpx image/x-epoc-mbm image/x-fpx image/x-garmin-exe image/x-gimp-gbr image/x-gimp-gih \
        image/x-gimp-pat image/x-godot-stex image/x-hsi image/x-icns image/x-idf image/x-ilab image/x-lss16 \
        image/x-miff image/x-ms-bmp image/x-ms-icl image/x-msod image/x-mvg image/x-niff image/x-os2-graphics \
        image/x-os2-ico image/x-paintnet image/x-panasonic-rw image/x-panasonic-rw2 image/x-pcx image/x-pgf \
        image/x-polar-monitor-bitmap image/x-portable-anymap image/x-portable-greymap image/x-qoi image/x-quicktime \
        image/x-sony-tim image/x-ulead-pe3 image/x-ulead-pe4 image/x-ulead-pst image/x-x3f image/x-xcursor \
        image/x-xv-thumbnail image/x.nifti model/e57 model/iges rinex/broadcast video/MP2T video/annodex \
        video/vnd.rn-realvideo video/vnd.vivo video/x-flc video/x-ifo video/x-javafx video/x-jng video/x-sgi-movie \
        x-epoc/x-sisx-app
        """
}
