#include "CVips.h"
int cvips_start(const char *program) { return 0; }
