internal import ShareModel
package import SinkKit

extension HostMessage.HostHello {
    /// The optional features of this host.
    package static let ourFeatures: Set<SinkProtocol.Feature> = [.check, .cancel, .transfer]

    /// The host's greeting to every sink, in deliveries and in the conformance suite.
    package static var ours: Self {
        Self(
            protocol: SinkProtocol.version, host: "sluice/\(Release.version)",
            features: ourFeatures.sorted { $0.rawValue < $1.rawValue })
    }
}
