internal import ShareModel

/// Documents, cards, keys and lists in text form, by their first words.
enum TextSignatures {
    static let all = documents + cards + keys + lists + patches + codes + archives

    /// RTF 1.9.1 (Header), PostScript Language Document Structuring Conventions 3.0 (5.1), LaTeX2e, Texinfo 7 (4.1),
    /// man(7) and mdoc(7), BibTeX, LilyPond, the Wolfram notebook format.
    private static let documents: [TextSignature] = [
        TextSignature("RTF", "application/rtf", "{\\rtf", allowsBinary: true) { place in
            place.rest.dropFirst(5).first.map { $0.isDigit || $0 == 0x5C || $0 == 0x20 } ?? false
        },
        // Fonts and EPS also start like PostScript, so they come before it.
        TextSignature("PFA", "application/x-font-type1", "%!PS-AdobeFont-1", allowsBinary: true),
        TextSignature("PFA", "application/x-font-type1", "%!FontType1", allowsBinary: true),
        // PDF 1.7, implementation note 14.
        TextSignature("PDF behind PostScript's first word", "application/pdf", "%!PS-Adobe-", allowsBinary: true) {
            place in
            var lines = place.lines
            return lines.next()?.dropFirst(14).begins(with: " PDF-") ?? false
        },
        TextSignature("EPS", "image/x-eps", "%!PS-Adobe-", allowsBinary: true) { place in
            var lines = place.lines
            return lines.next().map { $0.suffix(9).begins(with: " EPSF-") || $0.dropFirst(14).begins(with: " EPSF-") }
                ?? false
        },
        TextSignature("PostScript", "application/postscript", "%!PS", allowsBinary: true),
        TextSignature("PostScript", "application/postscript", "%!") { place in
            place.rest.dropFirst(2).first.map { $0 <= 0x20 } ?? false
        },
        // Some printer drivers write Ctrl-D first, which ends the job before it.
        TextSignature("PostScript", "application/postscript", "\u{4}%!PS", allowsBinary: true),
        TextSignature("QuickTime link", "application/x-quicktime-media-link", "SMILtext<"),
        TextSignature("QuickTime link", "application/x-quicktime-media-link", "RTSPtextRTSP://"),
        TextSignature("SPSS, portable", "application/x-spss-por", "ASCII SPSS PORT FILE"),
        TextSignature("Andrew", "application/andrew-inset", "\\begindata{"),
        TextSignature("Skencil", "image/x-skencil", "##Sketch ") { $0.rest.dropFirst(9).first?.isDigit == true },
        TextSignature("pyspread", "application/x-pyspread-spreadsheet", "[Pyspread save file version]"),
        TextSignature("Texinfo", "text/x-texinfo", "\\input texinfo"),
        TextSignature("LaTeX", "text/x-tex", "\\documentclass", where: opensArgument),
        TextSignature("LaTeX", "text/x-tex", "\\documentstyle", where: opensArgument),
        TextSignature("LaTeX", "text/x-tex", "\\NeedsTeXFormat{"),
        TextSignature("LaTeX", "text/x-tex", "\\ProvidesPackage{"),
        TextSignature("LaTeX", "text/x-tex", "%") { TextGrammar.isLaTeX($0) },
        TextSignature("troff", "text/troff", ".TH "),
        TextSignature("troff", "text/troff", ".Dd ") { $0.contains("\n.Dt ") },
        TextSignature("troff", "text/troff", ".\\\"") { TextGrammar.isManual($0) },
        TextSignature("troff", "text/troff", "'\\\"") { TextGrammar.isManual($0) },
        TextSignature("BibTeX", "text/x-bibtex", "@", where: TextGrammar.isBibliography),
        TextSignature("Turtle", "text/turtle", "@prefix ") { $0.contains(": <") },
        TextSignature("LilyPond", "text/x-lilypond", "\\version \""),
        TextSignature("Mathematica", "application/mathematica", "(* Content-type: application/vnd.wolfram."),
        TextSignature("MIF", "application/vnd.mif", "<MIFFile "),
        TextSignature("color correction of a display", "application/x-ccmx", "CCMX") {
            $0.contains("\nBEGIN_DATA_FORMAT")
        },
        TextSignature("SYLK", "text/spreadsheet", "ID;P", where: TextGrammar.isSYLK),
        TextSignature("YAML", "application/yaml", "%YAML 1."),
        TextSignature("YAML", "application/yaml", "---", where: TextGrammar.isYAML),
    ]

    private static let opensArgument: TextSignature.Check = { place in
        place.rest.dropFirst(14).first.map { $0 == 0x7B || $0 == 0x5B || $0 == 0x20 } ?? false
    }

    /// vCard (RFC 6350, 6.1.1; vCard 2.1), iCalendar (RFC 5545, 3.4; vCalendar 1.0), LDIF (RFC 2849), GEDCOM 5.5.1,
    /// QIF.
    private static let cards: [TextSignature] = [
        TextSignature("vCard", "text/vcard", "begin:vcard", ignoresCase: true, where: TextSignature.isWord(11)),
        TextSignature(
            "iCalendar", "text/calendar", "begin:vcalendar", ignoresCase: true, where: TextSignature.isWord(15)),
        TextSignature("LDIF", "text/x-ldif", "version: 1") { $0.contains("\ndn:") || $0.contains("\r\ndn:") },
        TextSignature("LDIF", "text/x-ldif", "dn: ") { $0.contains("=") && $0.contains("\nobjectClass:") },
        TextSignature("GEDCOM", "application/x-gedcom", "0 HEAD", where: TextSignature.isWord(6)),
        TextSignature("QIF", "application/x-qw", "!Type:") { $0.rest.dropFirst(6).first?.isLetter == true },
    ]

    /// PEM (RFC 7468, section 2), OpenPGP's armor (RFC 9580, section 6.2; names of RFC 3156).
    private static let keys: [TextSignature] = [
        // The armor of OpenPGP also starts like PEM, so it comes first.
        TextSignature("OpenPGP", "application/pgp-keys", "-----BEGIN PGP PUBLIC KEY BLOCK-----"),
        TextSignature("OpenPGP", "application/pgp-keys", "-----BEGIN PGP PRIVATE KEY BLOCK-----"),
        TextSignature("OpenPGP", "application/pgp-encrypted", "-----BEGIN PGP MESSAGE"),
        TextSignature("OpenPGP", "application/pgp-signature", "-----BEGIN PGP SIGNATURE-----"),
        TextSignature("PEM", "application/x-pem-file", "-----BEGIN ", where: TextGrammar.isPEM),
        TextSignature("PEM", "application/x-pem-file", "Bag Attributes") { $0.contains("\n-----BEGIN ") },
    ]

    /// M3U and HTTP Live Streaming (RFC 8216, 4.3.1), PLS, cue sheets, SubRip, WebVTT (W3C, 4.1), SubStation Alpha 4,
    /// SAMI, MicroDVD, MPSub, SubViewer 2.
    private static let lists: [TextSignature] = [
        // A list of HTTP Live Streaming is an M3U list with more tags, so it comes first.
        TextSignature("HLS", "application/vnd.apple.mpegurl", "#EXTM3U") { place in
            place.contains("\n#EXT-X-TARGETDURATION") || place.contains("\n#EXT-X-STREAM-INF")
        },
        TextSignature("M3U", "audio/x-mpegurl", "#EXTM3U", where: TextSignature.isWord(7)),
        TextSignature("PLS", "audio/x-scpls", "[playlist]", ignoresCase: true, where: TextGrammar.isPlaylist),
        TextSignature("WebVTT", "text/vtt", "WEBVTT", allowsBinary: true, where: TextSignature.isWord(6)),
        TextSignature("SubStation Alpha", "text/x-ssa", "[script info]", ignoresCase: true),
        TextSignature("Windows Media playlist", "application/vnd.ms-wpl", "<?wpl "),
        TextSignature("NetShow channel", "application/x-netshow-channel", "[Address]", allowsBinary: true) {
            $0.contains("\nNSC Format Version=")
        },
        TextSignature("SAMI", "application/x-sami", "<sami", ignoresCase: true) { $0.rest.dropFirst(5).first == 0x3E },
        TextSignature("MPSub", "text/x-mpsub", "FORMAT=TIME"),
        TextSignature("SubViewer", "text/x-subviewer", "[INFORMATION]") { $0.contains("\n[TITLE]") },
        TextSignature("MicroDVD", "text/x-microdvd", "{", where: TextGrammar.isMicroDVD),
    ]

    /// Differences as POSIX diff, GNU diff, git and Subversion write them; translations (GNU gettext manual, 3.1).
    private static let patches: [TextSignature] = [
        TextSignature("diff", "text/x-patch", "diff --git "),
        TextSignature("diff", "text/x-patch", "diff -") { $0.contains("\n--- ") || $0.contains("\n*** ") },
        TextSignature("diff", "text/x-patch", "Index: ", where: TextGrammar.isIndexed),
        TextSignature("diff", "text/x-patch", "--- ", where: TextGrammar.isUnified),
        TextSignature("diff", "text/x-patch", "*** ", where: TextGrammar.isContext),
        TextSignature("diff", "text/x-patch", "# HG changeset patch"),
        TextSignature("gettext", "text/x-gettext-translation", "msgid \"") { $0.contains("\nmsgstr ") },
        TextSignature("gettext", "text/x-gettext-translation", "#") { TextGrammar.isTranslation($0) },
    ]

    /// Source code and settings with a fixed first line.
    private static let codes: [TextSignature] = [
        TextSignature("PHP", "application/x-php", "<?php", ignoresCase: true, where: TextSignature.isWord(5)),
        TextSignature("Freeplane", "application/x-freeplane", "<map version=\"freeplane "),
        TextSignature("FreeMind", "application/x-freemind", "<map version=\"0."),
        TextSignature("FreeMind", "application/x-freemind", "<map version=\"1.0"),
        TextSignature("batch", "application/x-bat", "@echo off", ignoresCase: true, where: TextSignature.isWord(9)),
        TextSignature("registry", "text/x-ms-regedit", "Windows Registry Editor Version 5.00"),
        TextSignature("registry", "text/x-ms-regedit", "REGEDIT4", where: TextSignature.isWord(8)),
        TextSignature("SQL", "application/sql", "-- MySQL dump "),
        TextSignature("SQL", "application/sql", "-- MariaDB dump "),
        TextSignature("SQL", "application/sql", "--\n-- PostgreSQL database dump"),
        TextSignature("SQL", "application/sql", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;"),
        TextSignature("SGML", "text/sgml", "<!SGML ") { $0.contains("ISO 8879") },
    ]

    /// Files encoded as text: uuencode (POSIX), BinHex 4 (RFC 1741), shell archives, ARC 1.0 of the Internet Archive.
    private static let archives: [TextSignature] = [
        TextSignature("uuencode", "text/x-uuencode", "begin ", where: TextGrammar.isUuencoded),
        TextSignature("uuencode", "text/x-uuencode", "begin-base64 "),
        TextSignature("BinHex", "application/mac-binhex40", "(This file must be converted with BinHex"),
        TextSignature("shar", "application/x-shar", "# This is a shell archive"),
        TextSignature("ARC", "application/x-internet-archive", "filedesc://", allowsBinary: true),
    ]
}
