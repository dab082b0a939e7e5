// Writing events with the rows they describe.
export { appendEvents } from "./append.js";
// Metrics of the backlog.
export { registerOutboxMetrics } from "./metrics.js";
// What events are ordered with.
export type { OrderedWith } from "./order.js";
// Committing and publishing.
export { createOutbox, type Emit, type Outbox, type Written } from "./outbox.js";
