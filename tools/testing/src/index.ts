// The API description that answers are checked against.

// A browser without a window.
export type { Browser, Page } from "playwright-core";
export { type DescribedOperation, loadAnswerCheck } from "./api-description.js";
// An authenticator of passkeys, which also answers wrongly.
export {
  type Asked,
  createAuthenticator,
  createCredential,
  type Deviation,
  flags as authenticatorFlags,
  type SoftAlgorithm,
  type SoftAuthenticator,
  type SoftCredential,
} from "./authenticator.js";
export { type ChromiumOptions, sharedChromium, startChromium } from "./chromium.js";
// The services as real processes behind an edge: shared by test files, shared by those that end processes, or one's own.
export { type Equipment, previewedAddress, publicUrl } from "./equipped-stack.js";
export { startFirefox } from "./firefox.js";
// Fixtures, made through the REST API.
export {
  asAuthor,
  asEvent,
  assignRole,
  createChannel,
  createRole,
  createServer,
  createServerWithMembers,
  joinServer,
  listMessages,
  postMessage,
  type ServerFixture,
  type Users,
} from "./fixtures.js";
// Checks frames of a gateway.
export { type CheckFrame, createFrameCheck } from "./frame-check.js";
// A point that work waits at until a test opens it.
export { createGate, type Gate } from "./gate.js";
// Clients: gateway and REST.
export { connectGateway, type GatewayClient, type ReceivedEvent } from "./gateway-client.js";
// A peer of clients that sends the frames of a test.
export { readyFrame, startLoopbackGateway } from "./loopback-gateway.js";
// Accounts with mails about missed messages, and a mail as they read it.
export { createMailReaders, type MailReader, type MailReaders } from "./mail-readers.js";
export { type MortalStack, useMortalStack } from "./mortal-stack.js";
// Ways to a server, and to NATS, that a test interrupts.
export { type NatsProxy, startNatsProxy } from "./nats-proxy.js";
// Answers of authenticators that are to be refused.
export { passkeyForgeries } from "./passkey-forgeries.js";
// The output of processes, shown when a test fails.
export { keepOutput, type ProcessOutput, showOutputSince } from "./process-output.js";
// A push service that decrypts.
export {
  type PushAnswer,
  type PushDevice,
  type ReceivedPush,
  startPushService,
  type TestPushService,
} from "./push-service.js";
// Numbers that a seed repeats.
export { createRandom } from "./random.js";
export { type ReadMail, readMail } from "./read-mail.js";
export { type Answer, createClient, type Parser, type RestClient, type UserClient } from "./rest-client.js";
// The cost of a statement, by the rows that it reads.
export { rowsRead } from "./rows-read.js";
// Servers, folder and root of the whole run of tests.
export { runContext } from "./run-context.js";
// Fixed seeds, and fewer steps, in `npm test`.
export { modelSteps, seed } from "./seed.js";
export {
  type EquippedStack,
  type SharedStack,
  type StackWithDiscord,
  sharedStack,
  sharedStackWithDiscord,
  sharedStackWithoutMail,
} from "./shared-stack.js";
export { type SilentServer, startSilentServer } from "./silent-server.js";
export { startTcpProxy } from "./tcp-proxy.js";
// Certificates, for servers that demand them.
export { makeCertificates, type TestCertificates } from "./test-certificates.js";
// Servers: a database of one's own, S3, Redis, NATS, PostgreSQL with stop, kill and restart.
export { createTestDatabase, type TestDatabase } from "./test-database.js";
export { startNameServer, type TestNameServer } from "./test-name-server.js";
export { type NatsCluster, startNatsCluster } from "./test-nats-cluster.js";
export { startS3, type TestS3 } from "./test-s3.js";
export { type RedisWithSentinels, startRedisWithSentinels } from "./test-sentinels.js";
export { freshFolder, startNats, startPostgres, startRedis } from "./test-servers.js";
// A mail server.
export { type ReceivedMail, startSmtp, type TestSmtp } from "./test-smtp.js";
export { type StackOptions, startStack, type TestStack } from "./test-stack.js";
export { type PostgresWithStandby, startPostgresWithStandby } from "./test-standby.js";
// Waiting for conditions.
export { waitUntil } from "./wait-until.js";
export { waitingForLocks } from "./waiting-for-locks.js";
// The recipients of events, on every gateway.
export { connectWitnesses, type Witnesses } from "./witnesses.js";
