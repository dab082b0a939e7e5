// The needs of presence from its process.
export type { GatewayPresenceOptions, PresenceOptions, PresenceTimes } from "./options.js";
// Presence of a gateway, and of a process without connections.
export { createPresence, createPresenceStatuses, type Presence, type PresenceStatuses } from "./presence.js";
export { createConnectionId } from "./registry.js";
export type { SeenStatus } from "./set-status.js";
// Changes while a client was away.
export { type ChangedPresence, presencesChangedSince, type StatusChange } from "./status-row.js";
// That somebody types.
export { createTyping, type Typing } from "./typing.js";
// The channels in users' views.
export { createViews, type UserChannel, type Views } from "./views.js";
