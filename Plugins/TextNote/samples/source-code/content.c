#include <stdio.h>

/* Counts the trees of an orchard. */
int trees(void) {
    return 12; // apple trees
}
