import Testing

/// Lists of patterns, the files of a folder, and those that the lists leave out.
struct IgnoreCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The lists by their folders; that of the folder itself is "".
    var lists: [String: String]
    var files: [String]
    var ignored: [String]

    init(_ what: String, _ list: String, _ files: [String], ignored: [String]) {
        self.init(what, ["": list], files, ignored: ignored)
    }

    init(_ what: String, _ lists: [String: String], _ files: [String], ignored: [String]) {
        testDescription = what
        (self.lists, self.files, self.ignored) = (lists, files, ignored)
    }

    /// Gitignore(5), "PATTERN FORMAT" and "EXAMPLES", sentence by sentence.
    static let all = [
        IgnoreCase("empty lines", "\n\n*.tmp\n\n", ["a.tmp", "b/a.tmp", "a"], ignored: ["a.tmp", "b/a.tmp"]),
        IgnoreCase("no end of line", "*.tmp", ["a.tmp", "a"], ignored: ["a.tmp"]),
        IgnoreCase("a byte order mark", "\u{FEFF}a\nb", ["a", "b", "c"], ignored: ["a", "b"]),
        IgnoreCase("carriage returns", "a\r\nb\r\r\n", ["a", "b", "b\r"], ignored: ["a", "b\r"]),
        IgnoreCase("comments", "#a\n\\#b\n #c", ["#a", "#b", " #c"], ignored: ["#b", " #c"]),
        IgnoreCase(
            "spaces at the end", "a  \nb\\ \nc\\  \nd d \n   ", ["a", "a  ", "b", "b ", "c ", "c  ", "d d", "   "],
            ignored: ["a", "b ", "c ", "d d"]),
        IgnoreCase("tabs at the end stay", "a\t\nb", ["a", "a\t", "b"], ignored: ["a\t", "b"]),
        IgnoreCase("negation", "a*\n!ab\nabc", ["a", "ab", "abc"], ignored: ["a", "abc"]),
        IgnoreCase("an exclamation mark", "\\!a\n!", ["!a", "!"], ignored: ["!a"]),
        IgnoreCase("the last one decides", "!a\na", ["a"], ignored: ["a"]),
        IgnoreCase("a folder that is left out", "a/\n!a/b\n!b", ["a/b", "b"], ignored: ["a/b"]),
        IgnoreCase(
            "all but one folder", "/*\n!/foo\n/foo/*\n!/foo/bar", ["foo/bar/x", "foo/other", "top"],
            ignored: ["foo/other", "top"]),
        IgnoreCase("all but texts", "*\n!*/\n!*.txt", ["a.txt", "b", "c/a.txt", "c/b"], ignored: ["b", "c/b"]),
        IgnoreCase("a name at any depth", "a", ["a", "b/a", "c/a/b", "ab"], ignored: ["a", "b/a", "c/a/b"]),
        IgnoreCase("a slash at the beginning", "/a", ["a", "b/a", "c/a/b"], ignored: ["a"]),
        IgnoreCase("two slashes at the beginning", "//a", ["a", "b/a"], ignored: []),
        IgnoreCase("a slash in the middle", "doc/a", ["doc/a", "b/doc/a"], ignored: ["doc/a"]),
        IgnoreCase("a slash at the end", "a/", ["a/b", "b/a", "c/a/b"], ignored: ["a/b", "c/a/b"]),
        IgnoreCase("slashes at both ends", "/a/", ["a/b", "c/a/b"], ignored: ["a/b"]),
        IgnoreCase("slashes in the middle and at the end", "b/a/", ["b/a/c", "c/b/a/c"], ignored: ["b/a/c"]),
        IgnoreCase("two slashes at the end", "a//", ["a/b"], ignored: []),
        IgnoreCase("a slash alone", "/\n!/", ["a", "b/a"], ignored: []),
        IgnoreCase(
            "a star crosses no slash", "foo/*\n/b*d", ["foo/a", "foo/b/c", "b/d", "bcd"],
            ignored: ["foo/a", "foo/b/c", "bcd"]),
        IgnoreCase(
            "stars", "a*b*c", ["abc", "axbxc", "abcb", "ab", "acb", "aabbcc"],
            ignored: ["abc", "axbxc", "aabbcc"]),
        IgnoreCase("a question mark", "a?b", ["axb", "ab", "axxb", "a/b"], ignored: ["axb"]),
        IgnoreCase("a question mark is one byte", "?\n??x", ["a", "é", "éx"], ignored: ["a", "éx"]),
        IgnoreCase(
            "two stars before a slash", "**/foo", ["foo", "a/foo", "a/b/foo", "afoo"],
            ignored: ["foo", "a/foo", "a/b/foo"]),
        IgnoreCase(
            "two stars before a path", "**/foo/bar", ["foo/bar", "a/foo/bar", "foo/a/bar"],
            ignored: ["foo/bar", "a/foo/bar"]),
        IgnoreCase(
            "two stars behind a slash", "abc/**", ["abc/a", "abc/b/c", "a/abc/a"],
            ignored: ["abc/a", "abc/b/c"]),
        IgnoreCase(
            "two stars between slashes", "a/**/b", ["a/b", "a/x/b", "a/x/y/b", "ab", "c/a/b"],
            ignored: ["a/b", "a/x/b", "a/x/y/b"]),
        IgnoreCase(
            "several of them", "**/a/**/b", ["a/b", "x/a/b", "x/a/y/z/b", "b/a"],
            ignored: ["a/b", "x/a/b", "x/a/y/z/b"]),
        IgnoreCase(
            "two stars elsewhere", "a**b\n/c**", ["a/b", "axxb", "c", "cd/e", "x/c"],
            ignored: ["axxb", "c", "cd/e"]),
        IgnoreCase("two stars alone", "**", ["a", "b/c"], ignored: ["a", "b/c"]),
        IgnoreCase("folders alone", "**/", ["a", "b/c"], ignored: ["b/c"]),
        IgnoreCase("three stars", "a/***/b", ["a/b", "a/x/b", "a/x/y/b"], ignored: ["a/b", "a/x/b", "a/x/y/b"]),
        IgnoreCase("a set", "[a-c]x\n[xz]y", ["ax", "cx", "dx", "xy", "yy", "zy"], ignored: ["ax", "cx", "xy", "zy"]),
        IgnoreCase("a set of others", "[!a]x\n[^b]y", ["ax", "bx", "by", "cy"], ignored: ["bx", "cy"]),
        IgnoreCase("brackets in a set", "x[]]\ny[[]\nz[!]]", ["x]", "y[", "z]", "za"], ignored: ["x]", "y[", "za"]),
        IgnoreCase("a dash in a set", "x[a-]\ny[-a]\nz[c-a]", ["x-", "xb", "y-", "yb", "zb"], ignored: ["x-", "y-"]),
        IgnoreCase(
            "a backslash in a set", "x[\\]a]\ny[a-\\c]", ["x]", "xa", "x\\", "yb", "yd"],
            ignored: ["x]", "xa", "yb"]),
        IgnoreCase("classes", "x[[:digit:]]\ny[![:alpha:]_]", ["x1", "xa", "y1", "ya", "y_"], ignored: ["x1", "y1"]),
        IgnoreCase("half a class", "x[[:a]\ny[[:digit]", ["xa", "x:", "yd", "y1"], ignored: ["xa", "x:", "yd"]),
        IgnoreCase("a set crosses no slash", "a[!b]c\nx[./]y", ["a/c", "adc", "x/y", "x.y"], ignored: ["adc", "x.y"]),
        IgnoreCase("escapes", "a\\*b\n\\cd\ne\\\\f", ["a*b", "axb", "cd", "e\\f"], ignored: ["a*b", "cd", "e\\f"]),
        IgnoreCase("what fits nothing", "a[\nb\\\nc[[:no:]]\nd[a-", ["a[", "b", "b\\", "c1", "d["], ignored: []),
        IgnoreCase("case matters", "*.TXT\nA", ["a.txt", "b.TXT", "a"], ignored: ["b.TXT"]),
        IgnoreCase(
            "a list below", ["": "*.log\n/own", "sub": "!keep.log\n/own"],
            ["keep.log", "own", "sub/keep.log", "sub/a.log", "sub/own", "sub/c/own", "sub/c/keep.log"],
            ignored: ["keep.log", "own", "sub/a.log", "sub/own"]),
        IgnoreCase(
            "the nearest list decides", ["": "!a", "b": "a", "b/c": "!a"], ["a", "b/a", "b/c/a", "b/c/d/a"],
            ignored: ["b/a"]),
        IgnoreCase("a list in a folder that is left out", ["": "b/", "b": "!a"], ["b/a"], ignored: ["b/a"]),
        IgnoreCase("a path above", ["b": "b/a\n../c\n/b"], ["b/a", "c", "b/b/a"], ignored: ["b/b/a"]),
    ]

    /// A made-up case. Its files have few names, and its patterns are made of these names and of everything special, so
    /// that many of them fit. What is left out is for git to say.
    init(random number: Int, _ generator: inout SeededGenerator) {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }
        let (folders, names) = (["a", "b", "ab", "c"], ["x", "y", "xy", "a.x", "b.y", "ax"])
        var files: Set<String> = []
        for _ in 0..<12 {
            let above = (0..<pick([0, 1, 1, 2, 3])).map { _ in pick(folders) }
            files.insert((above + [pick(names)]).joined(separator: "/"))
        }
        let pieces =
            folders + names + [
                "*", "*", "**", "**/", "/**/", "/", "?", "[ab]", "[!x]", "[a-y]", ".", "\\a", "[[:alpha:]]", "\\*",
                "\\",
                "[",
            ]
        func list() -> String {
            let patterns = (0..<pick([1, 2, 3, 4])).map { _ in
                pick(["", "", "", "!", "/"]) + (0..<pick([1, 2, 2, 3, 3, 4, 5])).map { _ in pick(pieces) }.joined()
                    + pick(["", "", "", "/", "/*"])
            }
            return patterns.joined(separator: "\n")
        }
        var lists = ["": list()]
        let inner = files.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) }.sorted()
        if let folder = inner.first, pick([true, false]) { lists[folder] = list() }
        self.init("\(number): \(lists)", lists, files.sorted(), ignored: [])
    }
}
