/// The program's own MIME tables, used after the system's shared MIME database. They serve systems without the
/// database, and names that libmagic, senders and servers use but the database lacks.
///
/// The freedesktop database is under the GPL, so this project cannot contain a copy. These tables are not a copy. They
/// list facts about types in common use, from IANA's registry of media types and from the documentation of vendors and
/// projects, in their own selection and order. They only share the line formats with the database, so that one parser
/// reads both; ``MIMELines`` and ``MIMEGlobs`` allow several words on a line. Preferred names are those of the
/// database, so that answers do not depend on its presence.
enum BundledMIME {
    /// Lines `alias… type`: other names of a type.
    static let aliases = MIMELines(aliasTable)
    /// Lines `type… parent`: the types, and the type that they are a subtype of. `text/*` needs no line, because it is
    /// always a subtype of plain text.
    static let subclasses = MIMELines(subclassTable)

    /// File name patterns. They are parsed at the first name that the system's database does not know.
    static let globs: MIMEGlobs = {
        var globs = MIMEGlobs()
        for table in [documentGlobs, pictureGlobs, soundGlobs, textGlobs, sourceGlobs, otherGlobs] {
            MIMELines(table).forEach { globs.add($0) }
        }
        return globs
    }()
}
