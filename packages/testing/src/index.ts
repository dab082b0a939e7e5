// Servers: a database of one's own, Redis, NATS, PostgreSQL with stop, kill and restart.

// Fixtures, made through the REST API.
export {
  createChannel,
  createServer,
  createServerWithMembers,
  joinServer,
  listMessages,
  postMessage,
  type ServerFixture,
} from "./fixtures.js";
export { connectGateway, type GatewayClient, type ReceivedEvent } from "./gateway-client.js";
// Waiting for conditions; the output of processes when a test fails.
export { keepOutput, type ProcessOutput, showOutputSince } from "./process-output.js";
// Clients: REST and gateway.
export { type Answer, createClient, type Parser, type RestClient, type UserClient } from "./rest-client.js";
export { createTestDatabase, type TestDatabase } from "./test-database.js";
export { startNats, startPostgres, startRedis } from "./test-servers.js";
// The services as real processes behind an edge.
export { type StackOptions, startStack, type TestStack } from "./test-stack.js";
export { waitUntil } from "./wait-until.js";
