internal import Formats
internal import ShareModel

/// Old office documents and Outlook's messages by what lies at the top of their compound file: [MS-DOC] section 2.1,
/// [MS-XLS] 2.1.7, [MS-PPT] 2.1, [MS-OXMSG] 2.2, [MS-VSD]. An embedded document lies deeper, and does not count.
struct OLEInspector: Inspector {
    let starts: Set<MediaType> = ["application/x-ole-storage", "application/cdfv2"]
    let concludes = Set(rows.map(\.type))

    private static let rows: [(name: String, type: MediaType)] = [
        ("__properties_version1.0", "application/vnd.ms-outlook"),
        ("WordDocument", "application/msword"),
        ("PowerPoint Document", "application/vnd.ms-powerpoint"),
        ("Workbook", "application/vnd.ms-excel"),
        ("Book", "application/vnd.ms-excel"),
        ("VisioDocument", "application/vnd.visio"),
        ("Quill", "application/vnd.ms-publisher"),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let directory = try OLEDirectory(sample.content) else { return nil }
        let row = Self.rows.first { directory.names.contains($0.name) }
        return row.map { Finding($0.type, Evidence("OLE", "top entry \($0.name)")) }
    }
}
