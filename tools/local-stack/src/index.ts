// Processes that are stopped with their parent.
export { describeExit, type OwnedProcess, type ProcessExit, startProcess } from "./child-process.js";
// Settings of `npm start`.
export { localStackSettings } from "./config.js";
// The one address in front of the services, and the web application that it serves.
export { type Application, readApplication } from "./edge/application.js";
export { type Edge, startEdge } from "./edge/edge.js";
// Ports for servers that are started and stopped again.
export { claimTestPorts, findFreePort, findFreePorts, isPortFree } from "./ports.js";
// Errors that the user can correct.
export { Refusal } from "./refusal.js";
// Servers on the loopback address: start, stop, kill, pause, restart.
export { type ServerProcess, startServerProcess } from "./server-process.js";
export { startNatsServer } from "./servers/nats.js";
export { type PostgresServer, startPostgresServer } from "./servers/postgres.js";
export { startRedisServer } from "./servers/redis.js";
export { serviceRoleName, serviceUrl } from "./servers/service-role.js";
export { findSystemProgram, installMissingPrograms, type SystemProgram } from "./servers/system-programs.js";
// The built services.
export { type ServiceName, type ServiceSurroundings, serviceNames, startService } from "./service.js";
