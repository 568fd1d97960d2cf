import Files
import Glibc
import SystemPackage
import Testing

struct DetachedProcessTests {
    /// A process that starts many must not collect their ends.
    @Test func itIsNoChild() throws {
        let process = try DetachedProcess.start("/bin/sh", ["-c", "exit 0"])
        #expect(process > 0)
        #expect(waitpid(process, nil, 0) == -1)
        #expect(errno == ECHILD)
    }

    @Test func aProgramThatIsNotThereIsAnError() {
        #expect(throws: Errno.noSuchFileOrDirectory) { try DetachedProcess.start("/no/such/program", []) }
    }
}
