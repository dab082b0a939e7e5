// Writing events with the rows they describe.
export { appendEvents } from "./append.js";
// Metrics of the backlog.
export { registerOutboxMetrics } from "./metrics.js";
// Scopes of the order of events.
export type { OrderedWith } from "./order.js";
// Committing and publishing.
export { createOutbox, type Emit, type Outbox, type Written } from "./outbox.js";
// Whether the stream stores events.
export { checkStore } from "./store-check.js";
