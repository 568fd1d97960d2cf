extension Receipt {
    /// Reads a receipt that ``json()`` wrote, or a newer program. Keys that this type does not have are ignored.
    ///
    /// This is several times as fast as `JSONDecoder`, and gives the same receipt.
    ///
    /// - Parameter values: the largest number of values in the bytes. Each costs memory.
    /// - Throws: ``JSONFault`` for bytes that are not JSON; ``JSONMisfit`` for JSON that is no receipt.
    public init(json bytes: [UInt8], values: Int = JSONValue.countLimit) throws {
        try self.init(JSONMembers(of: JSONValue(json: bytes, values: values)))
    }

    /// Reads a receipt of any coder.
    ///
    /// - Throws: ``JSONMisfit`` for another value; the errors of the coder.
    public init(from decoder: any Decoder) throws {
        try self.init(JSONMembers(of: try JSONValue(from: decoder)))
    }

    package init(_ members: JSONMembers) throws(JSONMisfit) {
        self.init(
            id: try members.required("id") { $0.text }, source: try members.required("source", Source.init(value:)),
            outcome: try members.required("outcome") { $0.word() })
        alternatives = try members.required(list: "alternatives", Item.init(value:))
        bytes = try members.required("bytes") { $0.whole }
        destination = try members.optional("destination") { $0.text }
        duplicateOf = try members.optional("duplicate_of") { $0.text }
        groups = try members.required(list: "groups", Group.init(value:))
        item = try members.optional("item", Item.init(value:))
        kept = try members.optional(list: "kept", KeptInput.init(value:))
        moreSightings = try members.optional("more_sightings") { $0.int }
        providers = try members.required(list: "providers", Provider.init(value:))
        reason = try members.optional("reason") { $0.text }
        received = try members.optional("received") { $0.text }
        sightings = try members.optional(list: "sightings", Sighting.init(value:))
        storedBytes = try members.required("stored_bytes") { $0.whole }
        supersededBy = try members.optional("superseded_by") { $0.text }
        supersedes = try members.optional("supersedes") { $0.text }
        tags = try members.optional("tags") { $0.texts }
        unconfirmed = try members.optional(list: "unconfirmed") { $0.word() as BagClaim? }
        warnings = try members.required("warnings") { $0.texts }
    }
}

extension Receipt.Source {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            kind: try members.required("kind") { $0.word() }, path: try members.required("path") { $0.text },
            pathBase64: try members.optional("path_base64") { $0.text },
            machine: try members.optional("machine") { $0.text })
    }
}

extension Receipt.Sighting {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            source: try members.required("source", Receipt.Source.init(value:)),
            names: try members.optional("names") { $0.texts },
            modified: try members.optional("modified") { $0.text.flatMap { Timestamp($0) } },
            received: try members.required("received") { $0.text })
    }
}

extension Receipt.KeptInput {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            sha256: try members.required("sha256") { $0.text.flatMap { Digest($0) } },
            size: try members.required("size") { $0.whole }, path: try members.optional("path") { $0.text })
    }
}

extension Receipt.Item {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            index: try members.required("index") { $0.place }, title: try members.optional("title") { $0.text },
            text: try members.optional("text") { $0.text }, rule: try members.required("rule") { $0.text },
            why: try members.required("why") { $0.text })
    }
}

extension Receipt.Group {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            rule: try members.required("rule") { $0.text },
            providers: try members.required(list: "providers") { $0.place })
    }
}

extension Receipt.Provider {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            index: try members.required("index") { $0.place }, name: try members.required("name") { $0.text },
            outcome: try members.required("outcome") { $0.word() }, reason: try members.required("reason") { $0.text },
            tried: try members.required(list: "tried", Receipt.Attempt.init(value:)))
        basis = try members.required("basis") { $0.texts }
        chosen = try members.optional("chosen") { $0.place }
        deliveries = try members.required(list: "deliveries", DeliveryRecord.init(value:))
        group = try members.optional("group") { $0.place }
        modified = try members.optional("modified") { $0.text.flatMap { Timestamp($0) } }
        sha256 = try members.optional("sha256") { $0.text.flatMap { Digest($0) } }
        size = try members.optional("size") { $0.whole }
        suggestedName = try members.optional("suggested_name") { $0.text }
        type = try members.optional("type") { $0.text.flatMap { MediaType($0) } }
        warnings = try members.required("warnings") { $0.texts }
    }
}

extension Receipt.Attempt {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            representation: try members.required("representation") { $0.place },
            form: try members.required("form") { $0.word() },
            declared: try members.optional("declared") { $0.text },
            outcome: try members.required("outcome") { $0.word() }, why: try members.required("why") { $0.text })
    }
}

extension DeliveryRecord {
    /// Reads a record of any coder.
    ///
    /// - Throws: ``JSONMisfit`` for another value; the errors of the coder.
    public init(from decoder: any Decoder) throws { try self.init(value: try JSONValue(from: decoder)) }

    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            id: try members.required("id") { $0.text }, sink: try members.required("sink") { $0.text },
            outcome: try members.required("outcome") { $0.word() }, why: try members.optional("why") { $0.text },
            attempts: try members.required("attempts") { $0.int }, due: try members.optional("due") { $0.text },
            containment: try members.optional("containment") { $0.word() },
            metadata: try members.optional("metadata") { $0 },
            products: try members.required(list: "products", Product.init(value:)))
        isUnconfirmed = try members.optional("unconfirmed") { $0.flag }
        login = try members.optional("login", AccountUser.init(value:))
    }
}

extension DeliveryRecord.Product {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            role: try members.required("role") { $0.text }, name: try members.required("name") { $0.text },
            type: try members.required("type") { $0.text.flatMap { MediaType($0) } },
            sha256: try members.required("sha256") { $0.text.flatMap { Digest($0) } },
            size: try members.required("size") { $0.whole })
    }
}

extension AccountUser {
    fileprivate init(value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        self.init(
            account: try members.required("account") { $0.text.flatMap { AccountName($0) } },
            user: try members.required("user") { $0.text })
    }
}
