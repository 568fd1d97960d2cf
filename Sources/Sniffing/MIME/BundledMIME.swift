/// What Sluice itself knows of types, below the system's shared MIME database: for systems that have none, and for
/// names that libmagic, senders and servers use and the database lacks.
///
/// The freedesktop database comes under the GPL, so no copy of it can be part of this project. These tables are not
/// one: they are facts about types in common use (IANA's registry of media types, the vendors' and projects' own
/// documentation), selected and ordered here. Only their line formats are those of the database, so that one parser
/// reads both; a line can speak of several words at once, as ``MIMELines`` and ``MIMEGlobs`` say. Preferred names are
/// those that the database prefers, where it has the type, so that answers do not depend on whether it is there.
enum BundledMIME {
    /// `alias… type`: other names of a type.
    static let aliases = MIMELines(aliasTable)
    /// `type… parent`: what each is a kind of. That all of `text/*` is plain text needs no line.
    static let subclasses = MIMELines(subclassTable)

    /// File name patterns, read when a name is first asked for that the system's database does not know.
    static let globs: MIMEGlobs = {
        var globs = MIMEGlobs()
        for table in [documentGlobs, pictureGlobs, soundGlobs, textGlobs, sourceGlobs, otherGlobs] {
            MIMELines(table).forEach { globs.add($0) }
        }
        return globs
    }()
}
