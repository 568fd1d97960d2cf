// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "line-count",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "../../..")],
    targets: [
        .executableTarget(name: "line-count", dependencies: [.product(name: "SinkKit", package: "sluice")])
    ]
)
