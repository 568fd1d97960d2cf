"""Runs a command, and writes its seconds, processor seconds, peak memory in KB and exit status to a descriptor.

This is a separate small program, because the kernel counts the memory of the parent into the peak of a new process.
"""

import os
import sys
import time


def main():
    answers, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(answers, False)
    begin = time.perf_counter()
    number = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(number, 0)
    seconds = time.perf_counter() - begin
    code = os.waitstatus_to_exitcode(status)
    line = f"{seconds} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss} {code}\n"
    os.write(answers, line.encode())


main()
