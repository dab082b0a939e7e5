// A server's settings of auto-moderation.
export {
  type AutomodRulesSettings,
  type AutomodSettings,
  automodColumn,
  automodRulesColumn,
  automodRulesSettings,
  automodSettings,
  settingsWhileOff,
} from "./automod-settings.js";
// Members as clients see them.
export { findMember, memberObject, memberText } from "./member-object.js";
// Memberships, and one decision about a server at a time.
export { emitJoin, isMember, lockServer, type Membership, removeMember } from "./membership.js";
// Soft deletion of messages, by their author, a moderator or a rule.
export { deleteMessage, deleteMessages } from "./message-deletion.js";
// Moderation by hand: whole transactions.
export { createModeration, type ExtraWork, type Moderation } from "./moderation.js";
// Moderation by rule: parts of the rule's own transaction.
export { banUser, endExpiredBan, kickMember, type NewBan, type Removal } from "./removal.js";
// Reports, by people and by rule.
export {
  emitReport,
  type NewReport,
  type ReportRow,
  type ReportTarget,
  recordReport,
  reportColumns,
  reportRow,
  toInstanceReport,
  toReport,
} from "./reports.js";
export { type NewTimeout, storeTimeout } from "./timeouts.js";
// A transaction that ends a membership ends its voice state as well.
export { createVoiceCleanup, type WithVoiceCleanup } from "./voice-cleanup.js";
