int cvips_start(const char *program);
