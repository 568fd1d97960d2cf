package import Files
internal import SQLite
package import SystemPackage

extension CatalogDatabase {
    /// Copies one state of the catalog into a new file, and opens the copy for reading. The copy is not durable yet.
    ///
    /// - Throws: ``ContainerError`` if the copy cannot be made.
    package func backup(to path: FilePath, _ fileSystem: any FileSystem) throws -> CatalogDatabase {
        do {
            try reader.backup(to: DatabaseQueue(path: path.string))
            // SQLite makes the file with the user's mask.
            try fileSystem.setMode(.ownerReadWrite, of: path)
            var configuration = DatabaseConfiguration()
            // No process writes the copy while it is made. SQLite then makes no files beside it.
            (configuration.isReadOnly, configuration.isImmutable) = (true, true)
            return CatalogDatabase(
                reader: try DatabaseQueue(path: path.string, configuration: configuration), staleness: nil)
        } catch let error as DatabaseError {
            // The copy needs room; everything else that fails is the catalog itself.
            throw ContainerError(error, error.isForWantOfRoom ? path : self.path)
        }
    }
}
