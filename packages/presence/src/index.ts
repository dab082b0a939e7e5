// Presence of a gateway, and of a process without connections.

export { createConnectionId } from "./connection-id.js";
// What they need, take and return.
export type { GatewayPresenceOptions, PresenceOptions, PresenceTimes } from "./options.js";
export { createPresence, createPresenceStatuses, type Presence, type PresenceStatuses } from "./presence.js";
export type { SeenStatus } from "./set-status.js";
// What changed while a client was away.
export { type ChangedPresence, presencesChangedSince, type StatusChange } from "./status-row.js";
