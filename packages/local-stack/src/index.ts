// Servers on the loopback address: start, stop, kill, restart.

// Processes and ports.
export { describeExit, type OwnedProcess, type ProcessExit, startProcess } from "./child-process.js";
export { type Edge, startEdge } from "./edge/edge.js";
export { findFreePort, isPortFree } from "./ports.js";
// Sentences for the person at the terminal.
export { Refusal } from "./refusal.js";
export type { ServerProcess } from "./server-process.js";
export { startNatsServer } from "./servers/nats.js";
export { type PostgresServer, startPostgresServer } from "./servers/postgres.js";
export { startRedisServer } from "./servers/redis.js";
// Services and the edge in front of them.
export { type ServiceName, type ServiceSurroundings, serviceNames, startService } from "./service.js";
