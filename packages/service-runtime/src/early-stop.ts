import { leave } from "./leave.js";

/**
 * Until the lifecycle of a service handles signals, SIGTERM and SIGINT end the process with 0; as process 1 of a container it would
 * ignore them. Import this first and the service by `import()`, as Node.js loads all static imports before it runs anything.
 */
process.on("SIGTERM", leave);
process.on("SIGINT", leave);
