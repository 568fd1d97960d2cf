// Empty on purpose: Swift cannot call functions with a variable number of arguments. Only CCurl includes the header.
