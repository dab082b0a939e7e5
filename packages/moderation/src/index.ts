// What a server has auto-moderation do.
export { type AutomodSettings, automodColumn, automodSettings } from "./automod-settings.js";
// One decision about a server at a time.
export { lockServer } from "./lock-server.js";
// Soft deletion of messages, by their author, a moderator or a rule.
export { deleteMessage } from "./message-deletion.js";
// Moderation by hand: whole transactions.
export { type Alongside, createModeration, type Moderation } from "./moderation.js";
// Moderation by rule: parts of the rule's own transaction.
export { banUser, kickMember, type Membership, memberEvent, type Removal } from "./removal.js";
export { type NewTimeout, storeTimeout } from "./timeouts.js";
export { createVoiceCleanup, type WithVoiceCleanup } from "./voice-cleanup.js";
