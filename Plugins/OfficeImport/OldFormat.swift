/// A kind of documents of old office programs, in formats that are not zip archives. LibreOffice saves them in an open
/// format.
enum OldFormat {
    case document
    case workbook
    case presentation

    /// The kind of a type that Sluice concluded; `nil` for the types of other formats.
    init?(type: String) {
        switch type {
        case "application/msword": self = .document
        case "application/vnd.ms-excel": self = .workbook
        case "application/vnd.ms-powerpoint": self = .presentation
        default: return nil
        }
    }

    /// The ending of a file in this format.
    var ending: String {
        switch self {
        case .document: "doc"
        case .workbook: "xls"
        case .presentation: "ppt"
        }
    }

    /// The ending of the open format. A workbook becomes OOXML, because its cells then have the same form as those of a
    /// newer workbook, dates included. ODF keeps the number of pages, and states no language that nothing says.
    var openEnding: String {
        switch self {
        case .document: "odt"
        case .workbook: "xlsx"
        case .presentation: "odp"
        }
    }
}
