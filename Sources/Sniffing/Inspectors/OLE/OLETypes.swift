internal import ShareModel

/// The types of compound files, by the entries at their top and by the class of their root.
///
/// The sources are Word [MS-DOC] 2.1, Excel [MS-XLS] 2.1.7, PowerPoint [MS-PPT] 2.1, messages [MS-OXMSG] 2.2 and 2.1
/// (templates), and encryption [MS-OFFCRYPTO] 2.3.1. The other classes are those that the programs register, and the
/// other streams are described in The National Archives' PRONOM.
enum OLETypes {
    /// Entries that must all be present.
    struct Row: Sendable {
        var names: [String]
        var type: MediaType
        /// Whether the entries have precedence over the root's class.
        var isDecisive = false
    }

    static let encrypted = ["EncryptedPackage", "EncryptionInfo"]

    /// The types of encrypted documents that are not concluded from their bytes.
    static let encryptable: Set<MediaType> = Set(
        [
            "wordprocessingml.document", "wordprocessingml.template", "spreadsheetml.sheet", "spreadsheetml.template",
            "presentationml.presentation", "presentationml.template", "presentationml.slideshow",
        ].compactMap { MediaType("application/vnd.openxmlformats-officedocument.\($0)") }
    ).union([
        "application/vnd.ms-word.document.macroenabled.12", "application/vnd.ms-word.template.macroenabled.12",
        "application/vnd.ms-excel.sheet.macroenabled.12", "application/vnd.ms-excel.template.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.ms-powerpoint.template.macroenabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
        // Old names stay when a new program encrypts.
        "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
    ])

    /// Types by a word in the name of the program that wrote the file.
    static let byProgram: [(word: String, type: MediaType)] = [
        ("Excel", "application/vnd.ms-excel"), ("PowerPoint", "application/vnd.ms-powerpoint"),
        ("Word", "application/msword"),
    ]

    static let byStream: [Row] = [
        Row(names: encrypted, type: "application/encrypted", isDecisive: true),
        Row(names: ["__properties_version1.0"], type: "application/vnd.ms-outlook", isDecisive: true),
        // Works also wrote documents in Word's format, with an additional stream of its own.
        Row(names: ["MatOST"], type: "application/vnd.ms-works", isDecisive: true),
        Row(names: ["WksSSWorkBook"], type: "application/vnd.ms-works", isDecisive: true),
        Row(names: ["Quill"], type: "application/vnd.ms-publisher", isDecisive: true),
        Row(names: ["WordDocument"], type: "application/msword"),
        Row(names: ["PowerPoint Document"], type: "application/vnd.ms-powerpoint"),
        Row(names: ["PP40"], type: "application/vnd.ms-powerpoint"),
        Row(names: ["Workbook"], type: "application/vnd.ms-excel"),
        Row(names: ["Book"], type: "application/vnd.ms-excel"),
        Row(names: ["VisioDocument"], type: "application/vnd.visio"),
        Row(names: ["Props12"], type: "application/vnd.ms-project"),
        Row(names: ["Props14"], type: "application/vnd.ms-project"),
        Row(names: ["Props9", "CompObj"], type: "application/vnd.ms-project"),
        Row(names: ["StarWriterDocument"], type: "application/vnd.stardivision.writer"),
        Row(names: ["StarCalcDocument"], type: "application/vnd.stardivision.calc"),
        Row(names: ["StarDrawDocument3"], type: "application/vnd.stardivision.draw"),
        Row(names: ["StarDrawDocument"], type: "application/vnd.stardivision.draw"),
        Row(names: ["StarMathDocument"], type: "application/vnd.stardivision.math"),
        Row(names: ["StarChartDocument"], type: "application/vnd.stardivision.chart"),
        Row(names: ["PerfectOffice_MAIN"], type: "application/vnd.wordperfect"),
        Row(names: ["NativeContent_MAIN"], type: "application/x-quattropro"),
        Row(names: ["SwDocContentMgr", "SwDocMgrTempStorage"], type: "application/sldworks"),
        Row(names: ["PageMaker"], type: "application/x-pagemaker"),
        // MicroStation 8
        Row(names: ["Dgn~Mf"], type: "image/vnd.dgn"),
        Row(names: ["Dgn~H"], type: "image/vnd.dgn"),
    ]

    static let byClass: [String: MediaType] = [
        // Word 6 and 97
        "00020900-0000-0000-C000-000000000046": "application/msword",
        "00020906-0000-0000-C000-000000000046": "application/msword",
        // Excel 5 and 97, sheets and charts
        "00020810-0000-0000-C000-000000000046": "application/vnd.ms-excel",
        "00020811-0000-0000-C000-000000000046": "application/vnd.ms-excel",
        "00020820-0000-0000-C000-000000000046": "application/vnd.ms-excel",
        "00020821-0000-0000-C000-000000000046": "application/vnd.ms-excel",
        // PowerPoint 4, 95 and 97
        "EA7BAE70-FB3B-11CD-A903-00AA00510EA3": "application/vnd.ms-powerpoint",
        "EA7BAE71-FB3B-11CD-A903-00AA00510EA3": "application/vnd.ms-powerpoint",
        "64818D10-4F9B-11CF-86EA-00AA00B929E8": "application/vnd.ms-powerpoint",
        "64818D11-4F9B-11CF-86EA-00AA00B929E8": "application/vnd.ms-powerpoint",
        // Outlook's messages and templates
        "00020D0B-0000-0000-C000-000000000046": "application/vnd.ms-outlook",
        "0006F046-0000-0000-C000-000000000046": "application/vnd.ms-outlook",
        "00021A13-0000-0000-C000-000000000046": "application/vnd.visio",
        "00021A14-0000-0000-C000-000000000046": "application/vnd.visio",
        "00021201-0000-0000-C000-000000000046": "application/vnd.ms-publisher",
        "0002123D-0000-0000-C000-000000000046": "application/vnd.ms-publisher",
        "74B78F3A-C8C8-11D1-BE11-00C04FB6FAF1": "application/vnd.ms-project",
        // Works: texts of versions 3, 4, and from 2000 on
        "0EA45AB2-9E0A-11D1-A407-00C04FB932BA": "application/vnd.ms-works",
        "00021302-0000-0000-C000-000000000046": "application/vnd.ms-works",
        "00021303-0000-0000-C000-000000000046": "application/vnd.ms-works",
        "28CDDBC2-0AE2-11CE-A29A-00AA004A1A72": "application/vnd.ms-works",
        // Windows Installer: packages, patches, transforms
        "000C1084-0000-0000-C000-000000000046": "application/x-msi",
        "000C1086-0000-0000-C000-000000000046": "application/x-msi",
        "000C1082-0000-0000-C000-000000000046": "application/x-msi",
        "56616700-C154-11CE-8553-00AA00A1F95B": "image/vnd.fpx",
        "59850400-6664-101B-B21C-00AA004BA90B": "application/x-msbinder",
        // Corel: presentations, Quattro Pro 7 and later
        "402EFE62-1999-101B-99AE-04021C007002": "application/x-corelpresentations",
        "EB626F5C-12A9-4F24-A0FC-01B5C2534C35": "application/x-quattropro",
        // StarOffice 5
        "565C7221-85BC-11D1-89D0-008029E4B0B1": "application/vnd.stardivision.impress",
        "2E8905A0-85BD-11D1-89D0-008029E4B0B1": "application/vnd.stardivision.draw",
        "C20CF9D1-85AE-11D1-AAB4-006097DA561A": "application/vnd.stardivision.writer",
        "C6A5B861-85D6-11D1-89CB-008029E4B0B1": "application/vnd.stardivision.calc",
        "FFB5E640-85DE-11D1-89D0-008029E4B0B1": "application/vnd.stardivision.math",
    ]
}
