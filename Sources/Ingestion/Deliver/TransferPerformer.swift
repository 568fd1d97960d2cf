internal import Accounts
internal import FoundationEssentials
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage
internal import Transfers

/// Makes the requests of sinks through the container's transfer process. That one adds the credential, so this process never has it.
struct TransferPerformer: RequestPerformer {
    let client: TransferClient
    let places: AccountPlaces

    func perform(_ request: HostedRequest) async -> HostMessage.Response {
        let asked = request.request
        guard request.account == nil || request.login != nil else {
            return .failed(asked, .auth, "no one has logged in to the account \(request.account?.description ?? "")")
        }
        var file: FileDescriptor?
        var body: RequestOrder.Body?
        switch request.body {
        case .bytes(let bytes):
            guard bytes.count <= RequestLimits.inlineBytes else {
                return .failed(
                    asked, .permanent,
                    "its body has \(bytes.count) bytes, and \(RequestLimits.inlineBytes) are allowed; write it into a file below out"
                )
            }
            body = .bytes(bytes)
        case .file(let descriptor, let size): (file, body) = (descriptor, .file(size: size))
        case nil: break
        }
        let order = RequestOrder(
            number: 0, method: asked.method, url: asked.url,
            headers: (asked.headers ?? [:]).sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) },
            body: body,
            login: request.login, places: places, hosts: request.hosts, seconds: request.seconds)
        switch await client.perform(order, file: file) {
        case .answered(let answer): return HostMessage.Response(asked, answer)
        case .failed(let failure):
            let kind: FailureClass =
                switch failure.kind {
                case .transient: .transient
                case .permanent: .permanent
                case .auth: .auth
                }
            return .failed(asked, kind, failure.why, mayHaveArrived: failure.mayHaveArrived)
        }
    }
}

extension HostMessage.Response {
    fileprivate init(_ request: SinkMessage.Request, _ answer: RequestAnswer) {
        self.init(
            id: request.id, name: request.name, status: answer.status,
            headers: Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" })
        // An embedded zero byte makes it no text.
        if let text = String(validating: answer.body, as: UTF8.self), !answer.body.contains(0) {
            self.text = text
        } else {
            base64 = answer.body.base64EncodedString()
        }
    }
}
