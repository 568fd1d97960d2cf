// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]
/// The folder of the Swift libraries, in builds of the program that people use: they are a part of it then, so that it starts in two
/// thirds of the time. Sinks still load them.
let runtime = Context.environment["SLUICE_STATIC"]
/// Optimized for size, for targets that run as fast and compile sooner so.
let small = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// For targets that mostly call other modules and libraries. In builds for tests they are not optimized, because optimizing the commands
/// takes as long as optimizing the pipeline.
let calling = runtime == nil ? settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))] : small
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func module(
    _ name: String, _ dependencies: [Target.Dependency], embedding files: [String] = [],
    excluding others: [String] = [], settings: [SwiftSetting] = settings
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: others, resources: files.map { .embedInCode($0) },
        swiftSettings: settings)
}

func library(_ name: String, pkgConfig: String, apt: String, path: String? = nil) -> Target {
    .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func sink(
    _ name: String, folder: String, _ dependencies: [Target.Dependency] = [], copying files: [String] = [],
    leavingOut others: [String] = [], settings: [SwiftSetting] = settings
) -> Target {
    .executableTarget(
        name: name, dependencies: ["SinkKit"] + dependencies, path: "Plugins/\(folder)",
        exclude: ["samples"] + others, resources: (["sink.json"] + files).map { .copy($0) },
        swiftSettings: settings)
}

/// A program for developers, in builds with a variable of the environment alone.
func program(
    _ name: String, path: String, ifSet variable: String, _ dependencies: [Target.Dependency],
    settings: [SwiftSetting] = settings
) -> [Target] {
    guard Context.environment[variable] != nil else { return [] }
    return [.executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)]
}

let developers =
    // It needs libFuzzer's entry point, which exists only with `--sanitize fuzzer`; see `make fuzz`.
    program(
        "sluice-fuzz", path: "Tests/Fuzz", ifSet: "SLUICE_FUZZING",
        ["Sniffing", "Formats", "ShareModel", "Files", "GroupChannel"],
        settings: settings + [.unsafeFlags(["-parse-as-library"])])
    // A part of `make bench`.
    + program(
        "channel-bench", path: "Tests/ChannelBench", ifSet: "SLUICE_BENCHMARKS",
        ["GroupChannel", "Files", "CSocket", system])

/// The objects do not name the two libraries, which the others need. Nothing looks for symbols of the program by their names; without these
/// names, the linker leaves out what is not called. Scripts/release puts the static library of C++, which the runtime needs, into the folder.
let linkage: [LinkerSetting] =
    runtime == nil
    ? []
    : [
        .unsafeFlags([
            "-static-stdlib", "-use-ld=lld", "-L\(Context.packageDirectory)/.build/static", "-Xlinker",
            "--no-export-dynamic",
        ]),
        .linkedLibrary("_FoundationCollections"), .linkedLibrary("_FoundationCShims"),
    ]

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .executable(name: "sluice-launch", targets: ["sluice-launch"]),
        .executable(name: "sluice-account", targets: ["sluice-account"]),
        .executable(name: "sluice-transfer", targets: ["sluice-transfer"]),
        // Each with the words of the domain, which its interface speaks in.
        .library(name: "Ingestion", targets: ["Ingestion", "ShareModel"]),
        .library(name: "GroupContainer", targets: ["GroupContainer", "ContainerTools", "ShareModel"]),
        .library(name: "GroupChannel", targets: ["GroupChannel"]),
        .library(name: "Agent", targets: ["Agent"]),
        .library(name: "SinkKit", targets: ["SinkKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
    ],
    targets: [
        // The pipeline, from the domain model to the program. A target imports only targets above it in this list.
        module("ShareModel", [system]),
        module("Formats", ["CZlib"]),
        module("Sniffing", ["ShareModel", "Formats", "CMagic"]),
        module("Files", ["ShareModel", "CFileSystem", "CCrypto", system]),
        module("Reading", ["ShareModel", "Formats", "Files", "CTarWriter", system]),
        module("GroupChannel", ["ShareModel", "Files", "CSocket", system], excluding: ["Schemas"]),
        module(
            "Accounts",
            ["ShareModel", "Files", .product(name: "Subprocess", package: "swift-subprocess"), system], settings: small),
        module("SQLite", ["CSQLite"]),
        module("Transfers", ["ShareModel", "Files", "GroupChannel", "Accounts", "SQLite", system], settings: small),
        module("GroupContainer", ["ShareModel", "Files", "SQLite", system]),
        module(
            "ContainerTools", ["ShareModel", "Files", "SQLite", "GroupContainer", system], settings: small),
        module("SinkKit", ["ShareModel"], excluding: ["Schemas"]),
        module(
            "SinkHost",
            ["ShareModel", "Files", "SinkKit", .product(name: "Subprocess", package: "swift-subprocess"), system],
            embedding: ["Settings/Schemas/settings.schema.json", "Settings/Schemas/sink.schema.json"]),
        module(
            "SinkConformance", ["ShareModel", "Files", "SinkKit", "SinkHost", system], settings: calling),
        module(
            "Ingestion",
            [
                "ShareModel", "Formats", "Files", "Sniffing", "Reading", "GroupContainer", "SinkKit", "SinkHost",
                "Accounts", "Transfers", system,
            ]),
        module(
            "Agent", ["ShareModel", "Files", "GroupChannel", "GroupContainer", "Ingestion", system], settings: small),
        .executableTarget(
            name: "sluice",
            dependencies: [
                "Agent", "GroupChannel", "Ingestion", "GroupContainer", "ContainerTools", "Sniffing", "SinkHost",
                "SinkConformance", "Files", "Accounts", "Transfers",
                "ShareModel", "CAllocator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), system,
            ],
            swiftSettings: calling, linkerSettings: linkage),
        // Starts a sink with limits, and ends it with all its descendants. It is in C, because it is the first process of a
        // sandbox.
        .executableTarget(
            name: "sluice-launch", cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]),
        // Keeps logins. It alone opens the keychain and calls services, and it reads no foreign formats.
        .executableTarget(
            name: "sluice-account",
            dependencies: ["Accounts", "ShareModel", "Files", "CCurl", "CDesktop", system], swiftSettings: calling,
            linkerSettings: linkage),
        // Makes the requests of sinks. It alone opens network connections for them.
        .executableTarget(
            name: "sluice-transfer",
            dependencies: ["Transfers", "Accounts", "GroupChannel", "ShareModel", "Files", "CCurl", "CSocket", system],
            swiftSettings: calling, linkerSettings: linkage),
        // C libraries. Each has its own target, so that only the targets that need it can import it.
        library("CMagic", pkgConfig: "libmagic", apt: "libmagic-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        .target(
            name: "CFileSystem", cSettings: runtime.map { [.define("SLUICE_SWIFT_RUNTIME", to: "\"\($0)\"")] } ?? []),
        .target(name: "CSocket"),
        .target(name: "CCurl", dependencies: ["CCurlSystem"]),
        .target(name: "CDesktop", dependencies: ["CSecretSystem"]),
        library("CCurlSystem", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CSecretSystem", pkgConfig: "libsecret-1", apt: "libsecret-1-dev"),
        .target(name: "CTarWriter"),
        .systemLibrary(name: "CAllocator"),
        library("CPoppler", pkgConfig: "poppler-glib", apt: "libpoppler-glib-dev", path: "Plugins/CPoppler"),
        library("CVipsSystem", pkgConfig: "vips", apt: "libvips-dev", path: "Plugins/CVipsSystem"),
        library("CGExiv2", pkgConfig: "gexiv2", apt: "libgexiv2-dev", path: "Plugins/CGExiv2"),
        library("CXML", pkgConfig: "libxml-2.0", apt: "libxml2-dev", path: "Plugins/CXML"),
        library("CGMime", pkgConfig: "gmime-3.0", apt: "libgmime-3.0-dev", path: "Plugins/CGMime"),
        library("CUchardet", pkgConfig: "uchardet", apt: "libuchardet-dev", path: "Plugins/CUchardet"),
        library("CTagLib", pkgConfig: "taglib_c", apt: "libtagc0-dev", path: "Plugins/CTagLib"),
        library("CGsf", pkgConfig: "libgsf-1", apt: "libgsf-1-dev", path: "Plugins/CGsf"),
        .target(name: "CVips", dependencies: ["CVipsSystem"], path: "Plugins/CVips"),
        // The bundled sinks are separate programs. They import only SinkKit, the three targets below and their own libraries.
        .target(name: "SinkTools", dependencies: ["SinkKit"], path: "Plugins/SinkTools", swiftSettings: settings),
        .target(name: "Markup", dependencies: ["SinkTools", "CXML"], path: "Plugins/Markup", swiftSettings: settings),
        .target(
            name: "Pages", dependencies: ["SinkTools", "Markup", "CUchardet"], path: "Plugins/Pages",
            swiftSettings: settings),
        sink("pdf-import", folder: "PDFImport", ["SinkTools", "CPoppler"]),
        sink("image-import", folder: "ImageImport", ["SinkTools", "CVips", "CGExiv2"], settings: calling),
        sink("office-import", folder: "OfficeImport", ["SinkTools", "Markup", "CArchive"]),
        sink("media-import", folder: "MediaImport", ["SinkTools", "CTagLib"], settings: calling),
        sink("text-note", folder: "TextNote", ["SinkTools", "Markup", "Pages", "CGMime", "CGsf"]),
        sink("link-capture", folder: "LinkCapture", ["SinkTools", "Pages"], settings: calling),
        sink("keep", folder: "Keep", settings: calling),
        sink("upload", folder: "Upload", copying: ["services"], leavingOut: ["README.md"], settings: calling),
        // A sink for tests of hosts. It has no sink.json, so that the search for sinks does not find it.
        .executableTarget(
            name: "mock", dependencies: ["SinkKit"], path: "Plugins/Mock", swiftSettings: calling),
        // The example sink in Swift. It has no sink.json beside the program, so that it gets no deliveries.
        .executableTarget(
            name: "line-count", dependencies: ["SinkKit"], path: "Plugins/examples/line-count/Sources/line-count",
            swiftSettings: calling),
        // Records SQLite's disk calls, for the tests of power cuts.
        .target(
            name: "CWatchedVFS", path: "Tests/CWatchedVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "sluiceTests",
            dependencies: [
                "Agent", "Ingestion", "ShareModel", "Files", "Formats", "Sniffing", "Reading", "GroupContainer",
                "ContainerTools", "GroupChannel", "SinkKit", "SinkHost", "SinkConformance", "Accounts", "Transfers",
                "sluice",
                "CArchive", "CCurl", "CFileSystem", "CSQLite", "CWatchedVFS", "SQLite", system,
            ],
            exclude: [
                "Fixtures", "Accounts/Cases", "Accounts/service.py", "Accounts/notifications.py", "Transfers/Cases",
                "Transfers/hostile.py", "Transfers/offline.py", "Transfers/repeater.py", "Transfers/snooper.py",
                "Transfers/Interrupted",
                "Uploads/Cases",
                "Uploads/Servers",
            ],
            // An optimized build of the tests themselves takes a core ten minutes, and makes them no faster. As one module
            // they would be compiled on one core.
            swiftSettings: settings + [
                .unsafeFlags(
                    ["-Onone", "-gnone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"],
                    .when(configuration: .release))
            ]),
    ] + developers
)
