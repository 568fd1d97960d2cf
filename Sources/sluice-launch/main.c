// sluice-launch starts and ends a sink, for `sluice` alone. `supervise` runs outside of the sandbox, `confine` inside. `wait` stands
// for an agent without work.
#define _GNU_SOURCE
#include "launch.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "supervise") == 0) return supervise(count - 2, words + 2);
    if (count > 1 && strcmp(words[1], "confine") == 0) return confine(count - 2, words + 2);
    if (count > 1 && strcmp(words[1], "wait") == 0) return wait_for_work(count - 2, words + 2);
    fprintf(stderr, "sluice-launch: sluice starts this program; it has no use of its own\n");
    return LAUNCH_USAGE;
}
