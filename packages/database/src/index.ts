// Which users are bots.
// The pool and transactions. With Prisma: "@parley/database/prisma".
export { connectDatabase, type Database, type DatabaseOptions, type Transaction } from "./connect.js";
// The participants of channels of direct messages.
export { directParticipants, isDirectParticipant } from "./direct-participants.js";
// Kinds of failures.
export {
  isForeignKeyViolation,
  isMissingRow,
  isUnavailable,
  isUniqueViolation,
  isWriteConflict,
} from "./errors.js";
// Names as they are compared.
export { foldedName } from "./folded-name.js";
// The users whom messages mention by groups.
export { isInMentionedGroup, mentionsGroup, storeGroupMentions } from "./group-mentions.js";
// The messages that users hear.
export { isDirectHeard, isHeard } from "./heard.js";
// Whether a user may write to another.
export { isBlocked, isByBlocked, mayMessage } from "./may-message.js";
// Migrations.
export { MigrationError, migrate } from "./migrate.js";
// The key pair of web push.
export { type PushKeyPair, readPushKey } from "./push-key.js";
export type { Queryable } from "./queryable.js";
// Memberships of servers that exist.
export { serverExists } from "./server-exists.js";
// The role of services.
export { grantServiceRole, type ServiceRole } from "./service-role.js";
// Connections that are kept for a while.
export type { Session, SessionPool } from "./session-pool.js";
// Prepared statements.
export {
  columnsOf,
  defineStatement,
  jsonTime,
  lastIdOf,
  type RawRow,
  rowsOfArrays,
  type SqlValue,
  type Statement,
} from "./statement.js";
// The unread messages of a user in a channel.
export { directUnreadCount, hasMentions, mentionCount, unreadCount, unreadCountedMax } from "./unread-counts.js";
export { withDisplayName, withUserMarks } from "./user-marks.js";
