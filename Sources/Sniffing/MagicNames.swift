/// Names that libmagic gives, where everybody else says another.
enum MagicNames {
    /// libmagic's name to ours.
    static let own = [
        "inode/x-empty": "application/x-empty",
        "text/xml": "application/xml",
        "text/x-script.python": "text/x-python",
        "application/x-dosexec": "application/vnd.microsoft.portable-executable",
    ]

    /// Programming languages that libmagic guesses from a few words of a text: a claim of another text type is as good.
    static let guessedLanguages: Set<String> = [
        "text/x-c", "text/x-c++", "text/x-java", "text/x-makefile", "text/x-python", "text/x-asm", "text/x-bytecode",
        "text/x-fortran", "text/x-pascal", "text/x-objective-c", "text/x-lisp", "text/x-m4", "text/x-po", "text/x-tex",
        "text/x-msdos-batch", "text/troff", "text/x-bcpl", "text/x-algol68", "text/x-forth", "text/x-diff",
        "text/x-ruby", "text/x-perl", "text/x-lua", "text/x-tcl", "text/x-awk", "application/javascript",
    ]
}
