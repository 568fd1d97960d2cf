// The values of options, and the end after a failed step.
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *what, const char *on) {
    fprintf(stderr, "sluice-launch: cannot %s %s: %s\n", what, on, strerror(errno));
    exit(LAUNCH_FAILED);
}

unsigned long long number(const char *option, const char *value) {
    char *end = NULL;
    errno = 0;
    unsigned long long result = strtoull(value, &end, 10);
    if (errno == 0 && value[0] >= '0' && value[0] <= '9' && *end == 0) return result;
    fprintf(stderr, "sluice-launch: %s takes a number, not '%s'\n", option, value);
    exit(LAUNCH_USAGE);
}
