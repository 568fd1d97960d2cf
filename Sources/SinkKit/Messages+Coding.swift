// A message is `{"name":{…}}`. The synthesized decoder of an enum reads the same form, but it rejects unknown keys
// beside the known one. The protocol requires readers to ignore them.

extension HostMessage {
    enum CodingKeys: String, CodingKey {
        case hello, configure, deliver, check, cancel, response, goodbye
    }

    /// Reads an object with exactly one known key.
    ///
    /// - Throws: a `DecodingError` if there is no known key, if there are several, or if the message lacks a required
    ///   key.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try onlyKey(of: container) {
        case .hello: self = .hello(try container.decode(HostHello.self, forKey: .hello))
        case .configure: self = .configure(try container.decode(Configuration.self, forKey: .configure))
        case .deliver: self = .deliver(try container.decode(Delivery.self, forKey: .deliver))
        case .check: self = .check(try container.decode(Check.self, forKey: .check))
        case .cancel: self = .cancel(try container.decode(Cancellation.self, forKey: .cancel))
        case .response: self = .response(try container.decode(Response.self, forKey: .response))
        case .goodbye: self = .goodbye
        }
    }

    /// Writes an object with one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .hello(let body): try container.encode(body, forKey: .hello)
        case .configure(let body): try container.encode(body, forKey: .configure)
        case .deliver(let body): try container.encode(body, forKey: .deliver)
        case .check(let body): try container.encode(body, forKey: .check)
        case .cancel(let body): try container.encode(body, forKey: .cancel)
        case .response(let body): try container.encode(body, forKey: .response)
        case .goodbye: try container.encode(NoBody(), forKey: .goodbye)
        }
    }
}

extension SinkMessage {
    enum CodingKeys: String, CodingKey {
        case hello, ready, progress, done, fail, checked, request, transfer
    }

    /// Reads an object with exactly one known key.
    ///
    /// - Throws: a `DecodingError` if there is no known key, if there are several, or if the message lacks a required
    ///   key.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try onlyKey(of: container) {
        case .hello: self = .hello(try container.decode(SinkHello.self, forKey: .hello))
        case .ready: self = .ready
        case .progress: self = .progress(try container.decode(Progress.self, forKey: .progress))
        case .done: self = .done(try container.decode(Done.self, forKey: .done))
        case .fail: self = .fail(try container.decode(Failure.self, forKey: .fail))
        case .checked: self = .checked(try container.decode(Checked.self, forKey: .checked))
        case .request: self = .request(try container.decode(Request.self, forKey: .request))
        case .transfer: self = .transfer(try container.decode(Transfer.self, forKey: .transfer))
        }
    }

    /// Writes an object with one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .hello(let body): try container.encode(body, forKey: .hello)
        case .ready: try container.encode(NoBody(), forKey: .ready)
        case .progress(let body): try container.encode(body, forKey: .progress)
        case .done(let body): try container.encode(body, forKey: .done)
        case .fail(let body): try container.encode(body, forKey: .fail)
        case .checked(let body): try container.encode(body, forKey: .checked)
        case .request(let body): try container.encode(body, forKey: .request)
        case .transfer(let body): try container.encode(body, forKey: .transfer)
        }
    }
}

// Encodes as an empty object.
private struct NoBody: Codable {}

private func onlyKey<Key>(of container: KeyedDecodingContainer<Key>) throws -> Key {
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: container.codingPath,
                debugDescription: "a message is an object with exactly one of the protocol's keys"))
    }
    return key
}
