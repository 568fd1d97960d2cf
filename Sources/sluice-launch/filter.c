// The sandbox's filter of system calls, a program in the kernel's packet filter language (seccomp(2),
// <linux/filter.h>). It refuses the calls that no sink needs, and that exploits have used to leave sandboxes.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// These are numbers because older headers lack the names. They are the same on all architectures.
enum { CALL_IO_URING_SETUP = 425, CALL_OPEN_TREE = 428, CALL_MOVE_MOUNT = 429, CALL_FSOPEN = 430, CALL_FSPICK = 433 };
enum { CALL_CLONE3 = 435, CALL_PIDFD_GETFD = 438, CALL_MOUNT_SETATTR = 442, CALL_MEMFD_SECRET = 447 };
enum { FILE_SET_DELEGATION = 1040 };

static const uint32_t refused[] = {
    CALL_IO_URING_SETUP, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, CALL_PIDFD_GETFD, SYS_kcmp,
    SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, CALL_OPEN_TREE, CALL_MOVE_MOUNT, CALL_FSOPEN, CALL_FSPICK,
    CALL_MOUNT_SETATTR, SYS_swapon, SYS_swapoff, SYS_quotactl,
    SYS_unshare, SYS_setns, SYS_open_by_handle_at,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_syslog, SYS_acct,
};

// These fail with ENOSYS, as on a kernel without them, and libraries then use something else.
static const uint32_t missing[] = {
    // Its flags are in memory, which a filter cannot read. C libraries use clone instead.
    CALL_CLONE3,
    // Memory that no limit of the process counts.
    SYS_memfd_create, CALL_MEMFD_SECRET, SYS_shmget, SYS_msgget,
    // The kernel counts the instances of a user over all sandboxes. A sink could take them all from the host.
    SYS_inotify_init1, SYS_fanotify_init,
#ifdef SYS_inotify_init
    SYS_inotify_init,
#endif
};

static const uint32_t new_namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                       CLONE_NEWUTS | CLONE_NEWCGROUP;

// Leases and notifications. A process with a lease on a file can delay other processes that open it, for up to 45
// seconds, and the content that a sink reads belongs to the host.
static const uint32_t refused_controls[] = {F_SETLEASE, F_NOTIFY, FILE_SET_DELEGATION};

// Without a network, a sink may use sockets in the sandbox's own file system. With one, it may use the internet
// protocols, and the kernel's routing tables, which name resolution needs. It may not use the host's local services: a
// shared network would expose their abstract sockets.
static const uint32_t families_local[] = {AF_UNIX};
static const uint32_t families_network[] = {AF_INET, AF_INET6, AF_NETLINK};

enum { REFUSED_COUNT = sizeof refused / sizeof *refused };
enum { MISSING_COUNT = sizeof missing / sizeof *missing };
enum { CONTROL_COUNT = sizeof refused_controls / sizeof *refused_controls };
enum { ROOM = 32 + 2 * REFUSED_COUNT + 2 * MISSING_COUNT + 2 * CONTROL_COUNT };

struct program {
    struct sock_filter steps[ROOM];
    unsigned short count;
};

static void add(struct program *program, struct sock_filter step) { program->steps[program->count++] = step; }

static void load(struct program *program, size_t place) {
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)place));
}

static void answer(struct program *program, uint32_t answer) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer));
}

/// Continues with the next step if the loaded value passes the test; otherwise skips this number of steps.
static void test(struct program *program, unsigned short test, uint32_t value, uint8_t skipped) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_K | test, value, 0, skipped));
}

static uint32_t failing(int error) { return SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA); }

static void add_calls(struct program *program) {
    for (size_t place = 0; place < REFUSED_COUNT; place++) {
        test(program, BPF_JEQ, refused[place], 1);
        answer(program, failing(EPERM));
    }
    for (size_t place = 0; place < MISSING_COUNT; place++) {
        test(program, BPF_JEQ, missing[place], 1);
        answer(program, failing(ENOSYS));
    }
    test(program, BPF_JEQ, SYS_clone, 4);
    load(program, offsetof(struct seccomp_data, args[0]));
    test(program, BPF_JSET, new_namespaces, 1);
    answer(program, failing(EPERM));
    answer(program, SECCOMP_RET_ALLOW);
}

static void add_controls(struct program *program) {
    test(program, BPF_JEQ, SYS_fcntl, 2 * CONTROL_COUNT + 2);
    load(program, offsetof(struct seccomp_data, args[1]));
    for (size_t place = 0; place < CONTROL_COUNT; place++) {
        test(program, BPF_JEQ, refused_controls[place], 1);
        answer(program, failing(EPERM));
    }
    answer(program, SECCOMP_RET_ALLOW);
}

static void add_sockets(struct program *program, const uint32_t *families, uint8_t count) {
    test(program, BPF_JEQ, SYS_socket, (uint8_t)(2 * count + 2));
    load(program, offsetof(struct seccomp_data, args[0]));
    for (uint8_t place = 0; place < count; place++) {
        test(program, BPF_JEQ, families[place], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
    answer(program, failing(EACCES));
}

static void add_architecture(struct program *program) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_K | BPF_JEQ, ARCHITECTURE, 1, 0));
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // System calls of x32 have other numbers, marked by this bit.
    test(program, BPF_JGE, 0x40000000, 1);
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif
}

int install_filter(enum filter filter) {
    if (filter == FILTER_NONE) return 0;
    struct program program = {.count = 0};
    add_architecture(&program);
    if (filter == FILTER_LOCAL) add_sockets(&program, families_local, sizeof families_local / sizeof *families_local);
    else add_sockets(&program, families_network, sizeof families_network / sizeof *families_network);
    add_controls(&program);
    add_calls(&program);
    answer(&program, SECCOMP_RET_ALLOW);
    struct sock_fprog filter_program = {program.count, program.steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter_program);
}
#else
int install_filter(enum filter filter) {
    // The numbers of system calls are unknown for this architecture; the rest of the sandbox works without the filter.
    (void)filter;
    return 0;
}
#endif
