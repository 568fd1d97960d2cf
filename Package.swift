// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func module(
    _ name: String, _ dependencies: [Target.Dependency], embedding files: [String] = [], excluding others: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: others, resources: files.map { .embedInCode($0) },
        swiftSettings: settings)
}

func library(_ name: String, pkgConfig: String, apt: String, path: String? = nil) -> Target {
    .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func sink(_ name: String, folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ["SinkKit"] + dependencies, path: "Plugins/\(folder)",
        exclude: ["samples"], resources: [.copy("sink.json")], swiftSettings: settings)
}

/// The fuzz targets need libFuzzer's entry point, which is there only under `--sanitize fuzzer`: see `make fuzz`.
let fuzzing: [Target] =
    Context.environment["SLUICE_FUZZING"] == nil
    ? []
    : [
        .executableTarget(
            name: "sluice-fuzz", dependencies: ["Sniffing", "Formats", "ShareModel"], path: "Tests/Fuzz",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "sluice",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .executable(name: "sluice-launch", targets: ["sluice-launch"]),
        .library(name: "Ingestion", targets: ["Ingestion"]),
        .library(name: "SinkKit", targets: ["SinkKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
    ],
    targets: [
        // The pipeline, from the words of the domain up to the program. Imports point upwards in this list only.
        module("ShareModel", [system]),
        module("Formats", ["CZlib"]),
        module("Sniffing", ["ShareModel", "Formats", "CMagic"]),
        module("Unpacking", ["ShareModel", "Formats", "CArchive", system]),
        module(
            "GroupContainer",
            [
                "ShareModel", "CCrypto", "CFileSystem", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"), system,
            ]),
        module("SinkKit", ["ShareModel"], excluding: ["Schemas"]),
        module(
            "Ingestion",
            [
                "ShareModel", "Formats", "Sniffing", "Unpacking", "GroupContainer", "SinkKit",
                .product(name: "Subprocess", package: "swift-subprocess"), system,
            ],
            embedding: ["Configure/Schemas/settings.schema.json", "Configure/Schemas/sink.schema.json"]),
        .executableTarget(
            name: "sluice",
            dependencies: [
                "Ingestion", "ShareModel", "CAllocator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), system,
            ],
            swiftSettings: settings),
        // Starts a sink within its limits, and ends it with all that it started. In C: it is a sandbox's first process.
        .executableTarget(
            name: "sluice-launch", cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]),
        // C libraries, each fenced in one target.
        library("CMagic", pkgConfig: "libmagic", apt: "libmagic-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        .target(name: "CFileSystem"),
        .systemLibrary(name: "CAllocator"),
        library("CPoppler", pkgConfig: "poppler-glib", apt: "libpoppler-glib-dev", path: "Plugins/CPoppler"),
        library("CVipsSystem", pkgConfig: "vips", apt: "libvips-dev", path: "Plugins/CVipsSystem"),
        .target(name: "CVips", dependencies: ["CVipsSystem"], path: "Plugins/CVips"),
        // The bundled sinks: programs of their own, which import SinkKit and their own libraries alone.
        sink("pdf-import", folder: "PDFImport", ["CPoppler"]),
        sink("image-import", folder: "ImageImport", ["CVips"]),
        sink("link-capture", folder: "LinkCapture"),
        sink("keep", folder: "Keep"),
        // For tests of hosts: it comes without a sink.json, so that no search finds it.
        .executableTarget(name: "mock", dependencies: ["SinkKit"], path: "Plugins/Mock", swiftSettings: settings),
        // The example of a sink in Swift. It is not found beside the program: nobody asked for its deliveries.
        .executableTarget(
            name: "line-count", dependencies: ["SinkKit"], path: "Plugins/examples/line-count/Sources/line-count",
            swiftSettings: settings),
        // What SQLite does to the disk, for the tests of power cuts.
        .target(
            name: "CWatchedVFS", path: "Tests/CWatchedVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "sluiceTests",
            dependencies: [
                "Ingestion", "ShareModel", "Formats", "Sniffing", "Unpacking", "GroupContainer", "SinkKit", "sluice",
                "CWatchedVFS", .product(name: "GRDB", package: "GRDB.swift"), system,
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
    ] + fuzzing
)
