import ShareModel

/// Types in a line: the usual word for those whose names are longer than a line has room for.
enum TypeWord {
    private static let words = [
        "application/octet-stream": "unknown bytes",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.oasis.opendocument.text": "odt",
        "application/vnd.oasis.opendocument.spreadsheet": "ods",
        "application/vnd.oasis.opendocument.presentation": "odp",
        "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/x-mswinurl": "url file",
    ]

    static func of(_ type: MediaType?) -> String {
        let name = (type ?? .unknown).description
        return words[name] ?? name
    }
}
