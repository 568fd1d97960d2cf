extension BundledMIME {
    static let textGlobs: StaticString = """
        50:text/plain:*.txt *.text *.asc
        50:text/x-log:*.log
        50:text/markdown:*.md *.markdown *.mdown *.mkd
        50:text/csv:*.csv
        50:text/tab-separated-values:*.tsv
        80:text/html:*.html *.htm
        50:application/xhtml+xml:*.xhtml *.xht
        50:text/css:*.css
        50:text/x-scss:*.scss
        50:text/x-sass:*.sass
        50:application/json:*.json
        50:application/x-ndjson:*.ndjson *.jsonl
        50:application/geo+json:*.geojson
        50:application/geo+json:*.geo.json
        50:application/ld+json:*.jsonld
        50:application/json-patch+json:*.json-patch
        50:application/har+json:*.har
        50:application/x-ipynb+json:*.ipynb
        50:application/manifest+json:*.webmanifest
        50:application/schema+json:*.schema.json
        50:application/xml:*.xml *.xbl *.xsd *.rng
        50:application/xslt+xml:*.xsl *.xslt
        50:application/xml-dtd:*.dtd
        50:application/rss+xml:*.rss
        50:application/atom+xml:*.atom
        50:application/rdf+xml:*.rdf *.rdfs *.owl
        50:application/gpx+xml:*.gpx
        50:application/gml+xml:*.gml
        50:application/vnd.google-earth.kml+xml:*.kml
        50:application/mathml+xml:*.mml *.mathml
        50:application/xliff+xml:*.xlf *.xliff
        50:application/ttml+xml:*.ttml
        50:application/smil+xml:*.smil *.smi *.sml *.kino
        50:application/xspf+xml:*.xspf
        50:text/x-opml+xml:*.opml
        50:application/vnd.adobe.xfdf:*.xfdf
        50:model/vnd.collada+xml:*.dae
        50:application/x-yaml:*.yaml *.yml
        50:application/toml:*.toml
        50:text/x-ini:*.ini *.cfg
        50:text/vcard:*.vcf *.vcard *.vct *.gcrd
        50:text/calendar:*.ics *.vcs *.ifb *.icalendar
        50:application/x-subrip:*.srt
        50:text/vtt:*.vtt
        50:text/x-ssa:*.ssa *.ass
        50:text/x-microdvd:*.sub
        50:text/x-subviewer:*.sub
        50:text/x-tex:*.tex *.latex *.ltx *.sty *.cls *.dtx *.ins
        50:text/x-bibtex:*.bib
        50:text/x-rst:*.rst
        50:text/org:*.org
        50:text/asciidoc:*.adoc *.asciidoc
        50:text/x-gettext-translation:*.po
        50:text/x-gettext-translation-template:*.pot
        50:text/x-patch:*.patch *.diff
        50:text/x-readme:readme
        50:text/troff:*.tr *.roff
        50:application/x-troff-man:*.man
        50:text/sgml:*.sgml *.sgm
        50:text/richtext:*.rtx
        50:message/rfc822:*.eml
        50:application/mbox:*.mbox
        50:application/x-mimearchive:*.mht *.mhtml
        50:application/vnd.ms-outlook:*.msg
        50:application/vnd.ms-outlook-pst:*.pst *.ost
        50:application/vnd.ms-tnef:winmail.dat *.tnef *.tnf
        50:application/x-mswinurl:*.url
        50:application/x-webloc:*.webloc
        50:application/x-webarchive:*.webarchive
        50:application/x-desktop:*.desktop *.kdelnk
        50:application/x-ms-shortcut:*.lnk
        50:text/uri-list:*.uri *.uris
        50:application/x-plist:*.plist
        50:application/pkix-cert:*.cer
        50:application/x-pem-file:*.pem
        50:application/pgp-keys:*.skr *.pkr
        50:application/pgp-encrypted:*.pgp *.gpg
        50:application/pgp-signature:*.sig
        50:application/pkcs7-mime:*.p7m *.p7c
        50:application/pkcs7-signature:*.p7s
        50:application/pkcs12:*.p12 *.pfx
        """

    static let sourceGlobs: StaticString = """
        50:text/x-csrc:*.c:cs
        50:text/x-c++src:*.C:cs
        50:text/x-c++src:*.cpp *.cxx *.cc *.c++
        50:text/x-chdr:*.h
        50:text/x-c++hdr:*.hpp *.hxx *.hh *.h++ *.hp
        50:text/x-objcsrc:*.m
        50:text/x-matlab:*.m
        50:text/x-objc++src:*.mm
        50:text/x-swift:*.swift
        50:text/rust:*.rs
        50:text/x-go:*.go
        50:text/zig:*.zig
        50:text/x-java:*.java
        50:text/x-kotlin:*.kt *.kts
        50:text/x-scala:*.scala *.sc
        50:text/x-groovy:*.groovy *.gvy *.gy *.gsh
        50:text/x-csharp:*.cs
        50:text/x-vb:*.vb
        50:application/javascript:*.js *.mjs *.jsm *.cjs
        50:text/typescript:*.tsx *.cts
        60:text/x-python:*.py *.pyx *.wsgi
        60:text/x-python3:*.pyi
        50:application/x-ruby:*.rb
        50:application/x-perl:*.pl *.pm *.al *.perl
        50:application/x-php:*.php *.php3 *.php4 *.php5 *.phps
        50:text/x-lua:*.lua
        50:application/x-shellscript:*.sh *.bash *.zsh
        50:application/x-fishscript:*.fish
        50:application/x-csh:*.csh
        50:application/x-powershell:*.ps1 *.psm1
        50:application/x-bat:*.bat *.cmd
        50:application/x-awk:*.awk
        50:text/x-tcl:*.tcl *.tk
        50:text/x-haskell:*.hs
        50:text/x-literate-haskell:*.lhs
        50:text/x-ocaml:*.ml *.mli
        50:text/x-erlang:*.erl
        50:text/x-elixir:*.ex *.exs
        50:text/x-scheme:*.scm *.ss
        50:text/x-emacs-lisp:*.el
        50:text/x-common-lisp:*.lisp
        50:text/x-clojure:*.clj
        50:text/x-r:*.r
        50:text/julia:*.jl
        50:text/x-fortran:*.f *.f90 *.f95 *.for
        50:text/x-pascal:*.p *.pas
        50:text/x-adasrc:*.adb *.ads
        50:text/x-dsrc:*.d *.di
        50:text/x-dart:*.dart
        50:text/x-asm:*.s *.asm
        50:text/x-verilog:*.v
        50:text/x-vhdl:*.vhd *.vhdl
        50:application/sql:*.sql
        50:application/graphql:*.graphql *.gql
        50:text/x-protobuf:*.proto
        50:text/x-cmake:*.cmake cmakelists.txt
        50:text/x-makefile:makefile gnumakefile *.mk *.mak
        50:text/x-dockerfile:dockerfile *.dockerfile
        50:text/x-meson:meson.build
        50:text/x-gitignore:.gitignore
        50:application/x-applescript:*.applescript
        50:text/x-yara:*.yar *.yara
        50:text/x-twig:*.twig
        50:text/x-jinja:*.jinja *.j2 *.jinja2
        50:text/x-handlebars-template:*.hbs *.handlebars
        50:application/x-smali:*.smali
        50:text/x-vue:*.vue
        """
}
