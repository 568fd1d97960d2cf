internal import ShareModel
package import SinkKit

extension HostMessage.HostHello {
    /// What this host can do besides what every host must.
    package static let ourFeatures: Set<SinkProtocol.Feature> = [.check, .cancel]

    /// The greeting of every sink, in deliveries and in the conformance suite.
    package static var ours: Self {
        Self(
            protocol: SinkProtocol.version, host: "sluice/\(Release.version)",
            features: ourFeatures.sorted { $0.rawValue < $1.rawValue })
    }
}
