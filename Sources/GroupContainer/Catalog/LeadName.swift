/// The name of the file that leads a package, by which people know a package that has neither a title nor a path.
enum LeadName {
    /// SQL for a row of `package`: the name; `NULL` for a package with a title or a path, and for one without files.
    ///
    /// Only the receipt has the groups. Of a damaged one, the first provider counts.
    static let sql = """
        CASE WHEN title IS NULL AND source_kind IN ('stdin', 'submitted') THEN (
            SELECT name FROM provider WHERE provider.package = package.seq AND provider.place =
                coalesce(iif(json_valid(receipt), receipt, '{}') ->> '$.groups[0].providers[0]', 0)) END
        """
}
