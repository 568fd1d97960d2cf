extension Receipt {
    /// The receipt as one line of JSON, with the same bytes as ``JSONLines`` gives.
    ///
    /// This is several times as fast as `JSONEncoder`. Every package has a receipt, and for most packages, encoding it
    /// takes longer than making the decisions in it.
    ///
    /// - Throws: an `EncodingError` if a sink's metadata holds a number that JSON cannot express.
    public func json() throws -> [UInt8] {
        var writer = JSONWriter()
        // A closure, because a method as a value copies the receipt.
        try writer.object { try write(&$0) }
        return writer.bytes
    }

    private func write(_ writer: inout JSONWriter) throws {
        // In the order of the keys, as ``JSONLines`` sorts them.
        writer.list("alternatives", alternatives) { $1.write(&$0) }
        writer.field("bytes", bytes)
        writer.field("destination", destination)
        writer.field("duplicate_of", duplicateOf)
        writer.list("groups", groups) { $1.write(&$0) }
        writer.field("id", id)
        if let item { writer.field("item", item.writeFields) }
        if let kept { writer.list("kept", kept) { $1.write(&$0) } }
        writer.field("more_sightings", moreSightings.map(Int64.init))
        writer.field("outcome", outcome.rawValue)
        try writer.list("providers", providers) { try $1.write(&$0) }
        writer.field("reason", reason)
        writer.field("received", received)
        if let sightings { writer.list("sightings", sightings) { $1.write(&$0) } }
        writer.field("source", source.writeFields)
        writer.field("stored_bytes", storedBytes)
        writer.field("superseded_by", supersededBy)
        writer.field("supersedes", supersedes)
        if let tags { writer.field("tags", tags) }
        if let unconfirmed { writer.field("unconfirmed", unconfirmed.map(\.rawValue)) }
        writer.field("warnings", warnings)
    }
}

extension Receipt.Source {
    fileprivate func writeFields(_ writer: inout JSONWriter) {
        writer.field("kind", kind.rawValue)
        writer.field("machine", machine)
        writer.field("path", path)
        writer.field("path_base64", pathBase64)
    }
}

extension Receipt.Sighting {
    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("modified", modified?.description)
            if let names { writer.field("names", names) }
            writer.field("received", received)
            writer.field("source", source.writeFields)
        }
    }
}

extension Receipt.KeptInput {
    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("path", path)
            writer.field("sha256", sha256.description)
            writer.field("size", size)
        }
    }
}

extension Receipt.Item {
    fileprivate func write(_ writer: inout JSONWriter) { writer.object(writeFields) }

    fileprivate func writeFields(_ writer: inout JSONWriter) {
        writer.field("index", index)
        writer.field("rule", rule)
        writer.field("text", text)
        writer.field("title", title)
        writer.field("why", why)
    }
}

extension Receipt.Group {
    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.list("providers", providers) { $0.number($1) }
            writer.field("rule", rule)
        }
    }
}

extension Receipt.Provider {
    fileprivate func write(_ writer: inout JSONWriter) throws {
        try writer.object { writer in
            writer.field("basis", basis)
            writer.field("chosen", chosen.map(Int64.init))
            try writer.list("deliveries", deliveries) { try $1.write(&$0) }
            writer.field("group", group.map(Int64.init))
            writer.field("index", index)
            writer.field("modified", modified?.description)
            writer.field("name", name)
            writer.field("outcome", outcome.rawValue)
            writer.field("reason", reason)
            writer.field("sha256", sha256?.description)
            writer.field("size", size)
            writer.field("suggested_name", suggestedName)
            writer.list("tried", tried) { $1.write(&$0) }
            writer.field("type", type?.description)
            writer.field("warnings", warnings)
        }
    }
}

extension Receipt.Attempt {
    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("declared", declared)
            writer.field("form", form.rawValue)
            writer.field("outcome", outcome.rawValue)
            writer.field("representation", representation)
            writer.field("why", why)
        }
    }
}

extension DeliveryRecord {
    fileprivate func write(_ writer: inout JSONWriter) throws {
        try writer.object { writer in
            writer.field("attempts", attempts)
            writer.field("containment", containment?.rawValue)
            writer.field("due", due)
            writer.field("id", id)
            if let login {
                writer.field("login") { writer in
                    writer.field("account", login.account.description)
                    writer.field("user", login.user)
                }
            }
            if let metadata { try writer.field("metadata", metadata) }
            writer.field("outcome", outcome.rawValue)
            writer.list("products", products) { $1.write(&$0) }
            writer.field("sink", sink)
            if let isUnconfirmed { writer.field("unconfirmed", isUnconfirmed) }
            writer.field("why", why)
        }
    }
}

extension DeliveryRecord.Product {
    fileprivate func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("role", role)
            writer.field("sha256", sha256.description)
            writer.field("size", size)
            writer.field("type", type.description)
        }
    }
}
