import Formats
import ShareModel
import Sniffing
import Testing

@Suite("Kinds of text")
struct TextInspectorTests {
    typealias Case = (text: String, type: String)

    private static let mail = "From: Ada <ada@example.org>\r\nTo: b@example.org\r\nSubject: hi\r\n\r\nhello\r\n"
    private static let csv = "name,size,kind\r\n\"a, b\",2,x\r\n\"c\"\"d\",3,\"y\r\nz\"\r\n"
    private static let words = String(repeating: "just words, and more of them; nothing else.\n", count: 20)

    static let pages: [Case] = [
        ("<!DOCTYPE html>\n<title>a</title>", "text/html"), ("<!doctype HTML PUBLIC \"x\"><p>a", "text/html"),
        (String(repeating: " \n", count: 2_100) + "<html><body>a</body></html>", "text/html"),
        ("<!-- a --><!-- b -->\n<HEAD ><meta charset=utf-8>", "text/html"), ("<script>alert(1)</script>", "text/html"),
        ("<!--[if IE]><html class=ie><![endif]-->\n<html><body>", "text/html"), ("<b>hello</b>\n", "text/html"),
        ("<frameset cols=1><frame src=a></frameset>", "text/html"), ("<meta charset=\"utf-8\">hello", "text/html"),
        ("<center><font size=2>a</font></center>", "text/html"), ("\u{0}\u{0}<!DOCTYPE html><html>", "text/html"),
        ("<?xml version=\"1.0\"?>\n<html><body/></html>", "text/html"),
        ("<html xmlns=\"http://www.w3.org/1999/xhtml\">", "text/html"),
        ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "application/xhtml+xml"),
        ("Warning: line 1\n<html><head><title>a</title></head><body><p>b</p><p>c</p></body></html>\n", "text/html"),
        // None of these texts is an HTML page.
        ("<htmlx>", "text/plain"), ("<a mistake", "text/plain"), ("a < b and c > d\n", "text/plain"),
        ("<!-- a note -->\n# Title\n\nwords\n", "text/plain"), ("{% if a %}<p>b</p>{% endif %}\n", "text/plain"),
        ("<p align=\"center\"><img src=\"a.png\"></p>\n\n# Title\n\n" + words, "text/plain"),
        ("print(\"<html><body>\")\n" + words, "text/plain"), ("<b>note</b> " + words, "text/plain"),
        ("<DOCTYPE html>", "text/plain"), ("\u{0}\u{0}<b>binary", "application/octet-stream"),
    ]

    static let documents: [Case] = [
        ("<?xml version=\"1.0\"?>\n<a><b/></a>", "application/xml"),
        ("<note xmlns=\"urn:x\"><b/></note>", "application/xml"),
        ("<note>\n<b/>\n</note>\n", "application/xml"), ("<note> and some words\n", "text/plain"),
        ("<?xml version=\"1.0\"?><!-- " + words, "application/xml"),
        ("<rss version=\"2.0\"><channel/></rss>", "application/rss+xml"),
        ("<feed xmlns=\"http://www.w3.org/2005/Atom\">", "application/atom+xml"), ("<feed>a</feed>", "application/xml"),
        (
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">",
            "application/rss+xml"
        ),
        (
            "<?xpacket begin=''?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><a/></x:xmpmeta><?xpacket end='w'?>",
            "application/rdf+xml"
        ),
        ("<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">", "application/gpx+xml"),
        ("<kml xmlns=\"http://www.opengis.net/kml/2.2\">", "application/vnd.google-earth.kml+xml"),
        ("<kml xmlns=\"urn:other\">", "application/xml"),
        ("<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\">", "image/svg+xml"),
        (
            "<office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" "
                + "office:mimetype=\"application/vnd.oasis.opendocument.text\">",
            "application/vnd.oasis.opendocument.text-flat-xml"
        ),
        ("<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">", "application/xslt+xml"),
        (
            "<?xml version=\"1.0\"?><!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\"><book/>",
            "application/docbook+xml"
        ),
        (
            "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\"><html/>",
            "application/xhtml+xml"
        ),
        ("<opml version=\"2.0\"><head/></opml>", "text/x-opml+xml"),
        ("<score-partwise>", "application/vnd.recordare.musicxml+xml"),
        ("<ns:MPD xmlns:ns=\"urn:mpeg:dash:schema:mpd:2011\">", "application/dash+xml"),
    ]

    static let messages: [Case] = [
        (mail, "message/rfc822"), ("\r\n\r\n" + mail, "message/rfc822"),
        ("Received: from a by b; x\n by c\nReceived: from b\nDKIM-Signature: v=1\nX-A: b\n\nhi", "message/rfc822"),
        ("MIME-Version: 1.0\rContent-Type: multipart/mixed;\r boundary=\"a\"\r\r--a\r", "message/rfc822"),
        ("Message-ID: <a@b>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\n", "message/rfc822"),
        ("Path: a!b\nNewsgroups: c.d\nFrom: e@f\nSubject: g\n\nhi\n", "message/news"),
        (
            "From: <Saved by Blink>\nSnapshot-Content-Location: http://a\nMIME-Version: 1.0\n\n",
            "application/x-mimearchive"
        ),
        ("From a@b.c Fri Feb 22 17:06:23 2008\nSubject: x\n\nhi\n", "application/mbox"),
        ("From - \nFrom: a@b\n\nhi\n\nFrom - \nFrom: c@d\n\n", "application/mbox"),
        ("123\n" + mail, "message/x-emlx"),
        (
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: a@b\nSubject: [PATCH] c\n\n",
            "text/x-patch"
        ),
        ("HTTP/1.1 200 OK\nDate: x\nContent-Type: text/html\nServer: y\n\nhi\n", "text/plain"),
        ("GET / HTTP/1.1\nHost: a\nFrom: b@c\nDate: d\n\n", "text/plain"), ("From: a\n", "text/plain"),
        ("Package: a\nVersion: 1\nSection: x\nPriority: optional\nMaintainer: a@b\n", "text/plain"),
        ("Metadata-Version: 2.1\nName: a\nVersion: 1\nAuthor-email: a@b\n\nwords\n", "text/plain"),
        ("Manifest-Version: 1.0\nCreated-By: x\n\n", "text/plain"),
        ("From here on it rained.\nDate: none\n", "text/plain"),
        ("Note: this\nTo: do\n\n", "text/plain"),
    ]

    static let data: [Case] = [
        ("{\"a\": [1, 2]}", "application/json"), (" [1]\n", "application/json"), ("{\"a\": 1,}", "text/plain"),
        ("\"a\"", "text/plain"), ("12\n", "text/plain"), ("{a: 1}", "text/plain"), ("[section]\nkey=1\n", "text/plain"),
        ("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson"),
        ("{\"@context\":\"https://schema.org\"}", "application/ld+json"),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", "application/geo+json"),
        ("{\"type\":\"Point\"}", "application/json"),
        ("{\"cells\":[],\"nbformat\":4}", "application/x-ipynb+json"),
        ("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[]}", "model/gltf+json"),
        (csv, "text/csv"), ("a\tb\tc\n1\t2\t3\n4\t5\t6\n", "text/tab-separated-values"),
        ("a,b,c\n1,2,3\n", "text/plain"), ("a,b\n1,2\n3,4\n5,6\n", "text/plain"),
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", "text/plain"),
        ("1, 2, 3,\n4, 5, 6,\n7, 8, 9,\n", "text/plain"), ("\tif a\n\t\tb\tc\n\tend\td\n", "text/plain"),
        ("---\na: 1\nb:\n  - c\n", "application/yaml"), ("---\ntitle: a\nlayout: b\n---\n\n# Title\n", "text/plain"),
        ("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nEND:VCARD\r\n", "text/vcard"),
        ("\n\nbegin:vcard\nfn:a\n", "text/vcard"),
        ("BEGIN:VCALENDAR\nVERSION:2.0\n", "text/calendar"), ("BEGIN:VCARDS\n", "text/plain"),
        ("1\n00:00:01,000 --> 00:00:02,000\nhi\n", "application/x-subrip"), ("1\nchapter one --> two\n", "text/plain"),
        ("WEBVTT", "text/vtt"), ("WEBVTT - a\n\n", "text/vtt"), ("WEBVTTX\n", "text/plain"),
        ("[Script Info]\nTitle: a\n", "text/x-ssa"), ("{1}{25}hello\n{26}{50}you\n", "text/x-microdvd"),
        ("[InternetShortcut]\nURL=https://a\n", "application/x-mswinurl"),
        ("[InternetShortcut]\nno address\n", "text/plain"),
    ]

    static let firstWords: [Case] = [
        ("{\\rtf1\\ansi hello}", "application/rtf"), ("{\\rtfoo}", "text/plain"),
        ("%!PS-Adobe-3.0\n", "application/postscript"),
        ("%!PS-Adobe-3.0 EPSF-3.0\n", "image/x-eps"), ("%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n", "application/pdf"),
        ("%PDF is\n", "text/plain"),
        ("% a comment\n\\documentclass[a4]{article}\n", "text/x-tex"), (".\\\" x\n.TH LS 1\n.SH NAME\n", "text/troff"),
        ("@article{a, title={b}}\n", "text/x-bibtex"), ("@Override\npublic void a() {\n", "text/plain"),
        ("-----BEGIN CERTIFICATE-----\nMII\n", "application/x-pem-file"), ("-----BEGIN of the end\n", "text/plain"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n", "application/pgp-keys"),
        ("-----BEGIN PGP SIGNATURE-----\n", "application/pgp-signature"),
        ("#EXTM3U\n#EXTINF:1,a\nb.mp3\n", "audio/x-mpegurl"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:9\n", "application/vnd.apple.mpegurl"),
        ("<?wpl version=\"1.0\"?>\n<smil>\n</smil>\n", "application/vnd.ms-wpl"),
        ("[Address]\r\nName=0\r\nNSC Format Version=3.0\r\n", "application/x-netshow-channel"),
        ("[Address]\nName=Ada\n", "text/plain"),
        ("CCMX   \n\nBEGIN_DATA_FORMAT\nXYZ_X\nEND_DATA_FORMAT\n", "application/x-ccmx"),
        ("CCMX is a word\n", "text/plain"),
        ("<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"></feed>", "application/atom+xml"),
        ("diff --git a/b b/b\n", "text/x-patch"), ("--- a\n+++ b\n@@ -1 +1 @@\n", "text/x-patch"),
        ("--- a\nwords\n", "text/plain"),
        ("# a\nmsgid \"\"\nmsgstr \"\"\n", "text/x-gettext-translation"), ("# a\nwords\n", "text/plain"),
        ("<?php echo 1;", "application/x-php"), ("@ECHO OFF\r\nrem a\r\n", "application/x-bat"),
        ("Windows Registry Editor Version 5.00\r\n\r\n[HKEY]\r\n", "text/x-ms-regedit"),
        ("REGEDIT4\n", "text/x-ms-regedit"),
        ("WARC/1.0\r\nWARC-Type: warcinfo\r\n", "application/warc"),
        ("begin 644 a.txt\n#86)C\n`\nend\n", "text/x-uuencode"),
        ("begin 644 the story\nof it all\n", "text/plain"),
        ("(This file must be converted with BinHex 4.0)\n", "application/mac-binhex40"),
        ("d8:announce3:a:b4:infod6:lengthi1eee", "application/x-bittorrent"), ("d1:word and more\n", "text/plain"),
        ("solid a\n facet normal 0 0 1\n", "model/stl"), ("solid ground under his feet\n", "text/plain"),
        ("ISO-10303-21;\nHEADER;\n", "model/step"), ("  0\nSECTION\n  2\nHEADER\n", "image/vnd.dxf"),
        ("#define a_width 8\n#define a_height 8\nstatic char a_bits[] = {\n", "image/x-xbitmap"),
        ("#define a_width 8\nint b;\n", "text/plain"),
        ("P2\n# a\n3 2\n255\n0 1 2\n", "image/x-portable-graymap"), ("P2 is a class\n", "text/plain"),
        ("/* XPM */\nstatic", "image/x-xpixmap"),
        ("0 HEAD\n1 SOUR a\n", "application/x-gedcom"), ("STARTFONT 2.1\n", "application/x-font-bdf"),
        ("#!/bin/sh\n", "application/x-shellscript"), ("#!/usr/bin/env -S A=b python3.11 -u\n", "text/x-python"),
        ("#! /usr/local/bin/perl -w\n", "application/x-perl"), ("#!/usr/bin/env node\n", "application/javascript"),
        ("#!/bin/sh\n\u{0}\u{1}payload", "application/x-shellscript"), ("#!/opt/own/thing\nwords\n", "text/plain"),
        ("#!\n", "text/plain"),
        ("#include <stdio.h>\nint main(void) { return 0; }\n", "text/plain"),
        ("import os\n\ndef a():\n    pass\n", "text/plain"),
        ("https://example.org/\n", "text/plain"), (words, "text/plain"), (" \n\t\n", "text/plain"),
    ]

    private static let rule = String(repeating: "=", count: 67)

    /// Texts that begin like another format, and their true format.
    static let lookalikes: [Case] = [
        ("-----BEGIN FORWARDED MESSAGE-----\nHi Bob,\n", "text/plain"), ("-----BEGIN A-----\n", "text/plain"),
        ("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n", "application/x-pem-file"),
        ("*** WARNING ***\n***************\n", "text/plain"), ("*** a\n--- b\n***************\n", "text/x-patch"),
        ("Index: contents\n====\n1\n", "text/plain"), ("Index: a.c\r\n\(rule)\r\n--- a.c\r\n", "text/x-patch"),
        ("[INFORMATION]\nauthor=a\n", "text/plain"), ("[INFORMATION]\r\n[TITLE]a\r\n", "text/x-subviewer"),
        ("plywood\nformat is 3 x 4\n", "text/plain"), ("ply\nformat ascii 1.0\n", "model/ply"),
        ("solid as a rock\nthe facet normal to none\n", "text/plain"),
        ("SOLID\r\nFACET NORMAL 0 0 1\r\n", "model/stl"), ("MP+what is it?\n", "text/plain"),
        ("ORC or elf, I play an ORC\n", "text/plain"), ("sqsh is a shell\n", "text/plain"),
        ("1.\r\nSubscribe!\r\n", "text/plain"),
        (String(repeating: "G17\n", count: 300), "text/plain"),
        ("P4 12 30 pm meeting\n", "text/plain"), ("P6\n2 1\n255\nabcdef", "image/x-portable-pixmap"),
    ]

    @Test(arguments: [pages, documents, messages, data, firstWords, lookalikes])
    func knows(_ cases: [Case]) throws {
        let sniffer = try MagicSniffer()
        for (text, type) in cases {
            let found = try sniffer.identify(ContentBytes(Array(text.utf8)), claims: TypeClaims())
            #expect(found.type.description == type, "\(text.prefix(60))")
            #expect(found.warnings.isEmpty)
        }
    }

    private static let written: [Case] = [
        ("BEGIN:VCARD\nFN:Zoë\n", "text/vcard"), ("{\"a\": \"ë\"}", "application/json"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"><a>ë</a></svg>", "image/svg+xml"),
        ("<!DOCTYPE html><title>ë</title>", "text/html"),
        ("Windows Registry Editor Version 5.00\n", "text/x-ms-regedit"),
        ("1\n00:00:01,000 --> 00:00:02,000\në\n", "application/x-subrip"),
        ("[InternetShortcut]\nURL=https://example.org/\n", "application/x-mswinurl"),
        ("From: a@b.c\nTo: d@e.f\nSubject: ë\n\n", "message/rfc822"), ("words and words: ë\n", "text/plain"),
    ]

    @Test func encodingsDoNotChangeTheType() throws {
        let sniffer = try MagicSniffer()
        for (text, type) in Self.written {
            let marked = "\u{FEFF}" + text
            let forms: [[UInt8]] = [
                Array(text.utf8), Array(marked.utf8), text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
                TextHeadTests.wide(marked, bytes: 2, big: false), TextHeadTests.wide(marked, bytes: 2, big: true),
                TextHeadTests.wide(text, bytes: 2, big: false), TextHeadTests.wide(marked, bytes: 4, big: true),
            ]
            for (index, bytes) in forms.enumerated() {
                let found = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims())
                #expect(found.type.description == type, "\(text.prefix(20)) in form \(index)")
            }
        }
    }

    @Test func survivesCutsAndMutations() throws {
        let sniffer = try MagicSniffer()
        let seeds = (Self.pages + Self.documents + Self.messages + Self.data + Self.firstWords).map {
            Array($0.text.utf8)
        }
        var generator = SeededGenerator(seed: 21)
        var types: Set<MediaType> = []
        for seed in seeds {
            var size = 1
            while size < seed.count {
                types.insert(try sniffer.identify(ContentBytes(Array(seed.prefix(size))), claims: TypeClaims()).type)
                size *= 2
            }
            for _ in 0..<20 {
                let bytes = generator.mutation(of: seed)
                types.insert(try sniffer.identify(ContentBytes(bytes), claims: TypeClaims(name: "a.html")).type)
            }
        }
        #expect(types.count > 60)
    }

    @Test func claimsAreCheckedAgainstTheCharacters() throws {
        let text: [UInt8] = [0xFF, 0xFE] + "hi, <b>you</b><br>".utf8.flatMap { [$0, 0] }
        #expect(try MagicSnifferTests.identify(text, TypeClaims(name: "a.html")).type == .html)
    }

    @Test(arguments: [
        ("a {", "a.json", "text/plain"), ("words\n", "a.xml", "text/plain"), ("words\n", "a.vcf", "text/plain"),
        ("words\n", "a.ics", "text/plain"), ("words\n", "a.srt", "text/plain"), ("words\n", "a.kml", "text/plain"),
        ("if (a <b) c();\n\(words)", "a.html", "text/plain"), ("a,b\n1,2\n", "a.tsv", "text/tab-separated-values"),
        ("BEGIN:VCARD\nFN:a\n", "notes.csv", "text/vcard"), ("{\"a\":1}", "a.md", "application/json"),
        ("{\"a\":1}", "a.geojson", "application/geo+json"),
        ("MIME-Version: 1.0\nContent-Type: a\n\n", "a.mht", "application/x-mimearchive"),
        (mail, "a.md", "message/rfc822"), ("words\n", "report.pdf", "text/plain"), ("words\n", "a.py", "text/x-python"),
    ])
    func claimsRefineOnlyWhatTheyCan(_ text: String, _ name: String, _ type: String) throws {
        let found = try MagicSnifferTests.identify(text, TypeClaims(name: name))
        #expect(found.type.description == type)
        #expect(found.warnings.isEmpty == (found.evidence.first?.source == "name"))
    }
}
