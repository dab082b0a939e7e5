// Batches: one statement, script or request for items that arrive together.
export { createBatcher } from "./batcher.js";
// The settings of a service: the environment, parsed by a zod schema.
export { ConfigError, type Environment, loadConfig, loadConfigOrExit } from "./config.js";
// State of a process's own connections.
export { type ProcessConnections, registerConnections } from "./connection-metrics.js";
// The settings table, generated from such a schema.
export { describeSettings, type SettingRow } from "./describe-settings.js";
// URLs with a list of hosts.
export { eachHost } from "./each-host.js";
// Liveness, readiness, draining.
export { type Check, type CheckResult, createHealth, type Health, type Readiness, runCheck } from "./health.js";
// A listening node:http server that closes in order.
export { type HttpServer, ListenError, startHttpServer } from "./http-server.js";
// Mutual exclusion per key, few at a time, again and again.
export { KeyedMutex } from "./keyed-mutex.js";
// Start, signals, fatal errors, ordered shutdown.
export { type Closable, createLifecycle, type Lifecycle } from "./lifecycle.js";
// JSON logs without credentials.
export { createLogger, type Logger, type MinimalLogger } from "./logger.js";
// Prometheus metrics and the rule of access to them.
export { createMetrics, type Metrics, metricsAllowed } from "./metrics.js";
export { startMetricsServer } from "./metrics-server.js";
// /health/live, /health/ready, /metrics on node:http.
export {
  answerError,
  createOperationsHandler,
  createOperationsRouter,
  type OperationsRouter,
} from "./operations-handler.js";
// A node:http server that answers malformed requests with the error body of every route, and the text of such a
// response for a socket without a response object.
export { closingErrorText, createHttpServer } from "./protocol-errors.js";
export { redactUrl } from "./redact-url.js";
export { repeat } from "./repeat.js";
export { Semaphore } from "./semaphore.js";
export {
  addressSetting,
  baseSettings,
  booleanSetting,
  choiceSetting,
  databaseUrlSetting,
  integerSetting,
  listSetting,
  optionalInstantSetting,
  optionalTextSetting,
  optionalUrlSetting,
  textSetting,
  urlSetting,
} from "./settings.js";
// The start of every service.
export { type ServiceBase, startService } from "./start-service.js";
// Traces, and the request that work belongs to.
export { startTracing } from "./start-tracing.js";
// Certificates that a URL names.
export { readTlsFiles, type TlsFiles, tlsFilesOf } from "./tls-files.js";
// Exemption of a request from the time limit of bodies.
export { allowSlowBody } from "./unfinished-requests.js";
// A time limit for waiting.
export { within } from "./within.js";
export { continued, continuedAtOnce, continuedTrace, runRequest, stampHeaders, traced } from "./work-context.js";
