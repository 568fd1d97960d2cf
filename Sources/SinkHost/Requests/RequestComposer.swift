internal import Files
internal import FoundationEssentials
internal import ShareModel
internal import SinkKit
internal import SystemPackage

/// Why a request of a sink is not made.
struct RequestFault: Error {
    var kind = FailureClass.permanent
    let why: String
}

/// Makes requests of what a sink asks for: checks them, and opens their bodies.
struct RequestComposer {
    let sink: InstalledSink
    let rules: AnswerRules
    let folder: WorkFolder

    /// The most bytes of JSON in the state of a transfer.
    static let stateLimit = 4_096

    /// - Parameter seconds: the longest time until the answer.
    /// - Throws: ``RequestFault``.
    func request(
        _ message: SinkMessage.Request, for delivery: HostedDelivery, in place: InFlight.Place, seconds: Int
    ) throws -> HostedRequest {
        let isAccounts = message.account == true
        try check(message.method, message.url, message.headers, isAccounts)
        return HostedRequest(
            request: message, body: try message.body.map { try body($0, delivery, place) },
            account: isAccounts ? sink.settings.account : nil, login: isAccounts ? delivery.login : nil,
            hosts: sink.settings.hosts, seconds: seconds)
    }

    /// - Throws: ``RequestFault``.
    func transfer(_ message: SinkMessage.Transfer, for delivery: HostedDelivery, in place: InFlight.Place) throws
        -> HostedTransfer
    {
        let isAccounts = message.account == true
        try check(message.method, message.url, message.headers, isAccounts)
        guard !isAccounts || delivery.login != nil else {
            throw RequestFault(
                kind: .auth, why: "no one has logged in to the account \(sink.settings.account?.description ?? "")")
        }
        if let state = message.state {
            let size = (try? JSONLines.encode(state).count) ?? .max
            guard size <= Self.stateLimit, state.depth <= rules.limits.metadataDepth else {
                throw RequestFault(why: "its state takes more than \(Self.stateLimit) bytes of JSON, or is too deep")
            }
            guard !rules.redactor.finds(in: state) else {
                throw RequestFault(why: "its state has a secret of the sink")
            }
        }
        if message.download == true {
            guard message.method == "GET", message.body == nil else {
                throw RequestFault(why: "a download is a request with the method GET and without a body")
            }
        }
        if let resumable = message.resumable, resumable != .none {
            guard message.body?.part != nil || message.body?.product != nil else {
                throw RequestFault(why: "only the upload of a part or a product is resumable")
            }
        }
        let body: HostedTransfer.Body?
        switch (message.body?.text, message.body?.base64, message.body?.part, message.body?.product) {
        case (nil, nil, nil, nil): body = nil
        case (nil, nil, let number?, nil):
            let part = try part(number, delivery)
            body = .part(size: part.size, sha256: part.sha256)
        case (_, _, nil, nil): body = .bytes(try bytes(message.body))
        case (nil, nil, nil, let path?):
            let product = try product(path, below: folder.out(place.number))
            guard product.size <= fileLimit else {
                try? product.file.close()
                throw RequestFault(
                    why: "its body has \(product.size) bytes, and a file of the sink has at most \(fileLimit)")
            }
            body = .product(product.file, size: product.size)
        default: throw Self.several
        }
        return HostedTransfer(
            transfer: message, delivery: delivery.number, body: body,
            name: name(message, delivery),
            account: isAccounts ? sink.settings.account : nil, login: isAccounts ? delivery.login : nil,
            hosts: sink.settings.hosts,
            download: message.download == true ? fileLimit : nil)
    }

    /// The largest file of the sink, in bytes.
    private var fileLimit: Int64 { Int64(SinkBounds.make(sink.limits).fileMiB) << 20 }

    /// What a transfer is called for people.
    private func name(_ message: SinkMessage.Transfer, _ delivery: HostedDelivery) -> String? {
        if let path = message.body?.product { return FilePath(path).lastComponent?.string }
        let number = message.body?.part ?? 0
        return delivery.parts.indices.contains(number) ? delivery.parts[number].name : nil
    }

    private func check(_ method: String, _ url: String, _ headers: [String: String]?, _ isAccounts: Bool) throws {
        let headers = (headers ?? [:]).map { HeaderField($0.key, $0.value) }
        if let fault = RequestRules.fault(method: method) ?? RequestRules.fault(url: url)
            ?? RequestRules.fault(headers: headers)
        {
            throw RequestFault(why: fault)
        }
        guard !isAccounts || sink.settings.account != nil else {
            throw RequestFault(kind: .transient, why: "its settings name no account; set \"account\" there")
        }
    }

    // MARK: - Bodies

    /// The body of a request, whose file is open.
    private func body(_ body: SinkMessage.RequestBody, _ delivery: HostedDelivery, _ place: InFlight.Place) throws
        -> HostedRequest.Body
    {
        switch (body.text, body.base64, body.part, body.product) {
        case (_, _, nil, nil): return .bytes(try bytes(body))
        case (nil, nil, let number?, nil):
            let part = try part(number, delivery)
            do { return .file(try part.open(), size: part.size) } catch let error as UndeliverableError {
                throw RequestFault(why: error.why)
            }
        case (nil, nil, nil, let path?):
            let product = try product(path, below: folder.out(place.number))
            return .file(product.file, size: product.size)
        default: throw Self.several
        }
    }

    private static let several = RequestFault(why: "its body must be one of text, base64, part and product")

    private func bytes(_ body: SinkMessage.RequestBody?) throws -> Data {
        switch (body?.text, body?.base64) {
        case (let text?, nil): return Data(text.utf8)
        case (nil, let text?):
            guard let bytes = Data(base64Encoded: text) else { throw RequestFault(why: "its body is not base64") }
            return bytes
        default: throw Self.several
        }
    }

    private func part(_ number: Int, _ delivery: HostedDelivery) throws -> HostedPart {
        guard delivery.parts.indices.contains(number) else {
            throw RequestFault(why: "its body names the part \(number), which the delivery does not have")
        }
        return delivery.parts[number]
    }

    /// A file that the sink has made. No link is followed: the sink can swap its files at any moment.
    private func product(_ path: String, below out: FilePath) throws -> (file: FileDescriptor, size: Int64) {
        let text = rules.redactor.shortened(path)
        if let trouble = ProductPath.trouble(path) {
            throw RequestFault(why: "its body '\(text)' is not a path relative to the folder out: \(trouble)")
        }
        let relative = FilePath(path).lexicallyNormalized()
        do throws(Errno) {
            var parent = try Directory(out)
            for component in relative.removingLastComponent().components {
                parent = try Directory(component, below: parent)
            }
            guard let name = relative.lastComponent else { throw Errno.noSuchFileOrDirectory }
            let file = try parent.open(name)
            do throws(Errno) {
                let status = try OpenFileStatus(of: file)
                guard case .file = status.kind else { throw Errno.invalidArgument }
                return (file, status.stamp.size)
            } catch {
                try? file.close()
                throw error
            }
        } catch {
            throw RequestFault(why: "its body '\(text)' is no regular file below out")
        }
    }
}
