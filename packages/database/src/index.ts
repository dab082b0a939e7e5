// The pool, Prisma and transactions.
export { connectDatabase, type Database, type Transaction } from "./connect.js";
// Kinds of failures.
export {
  isForeignKeyViolation,
  isMissingRow,
  isUnavailable,
  isUniqueViolation,
  isWriteConflict,
} from "./errors.js";
// Rows of every model.
export type {
  AdminLogEntry,
  Attachment,
  AuditLogEntry,
  AutomodConfig,
  AutomodLog,
  AutomodWord,
  Ban,
  Bot,
  Channel,
  ChannelOverride,
  CustomEmoji,
  DmChannel,
  DmMessage,
  DmReadState,
  InstanceSettings,
  Invite,
  Member,
  MemberRole,
  Message,
  OutboxEvent,
  Poll,
  PollOption,
  PollVote,
  Reaction,
  ReadState,
  RefreshSession,
  Role,
  Server,
  Timeout,
  User,
  Webhook,
  WebhookDelivery,
} from "./generated/client.js";
// Prisma's argument types and its values for SQL and JSON null.
export { Prisma } from "./generated/client.js";
// Memberships of servers that exist.
export { serverExists } from "./living-servers.js";
// What connectDatabase and migrate log with.
// Migrations.
export { MigrationError, migrate } from "./migrate.js";
export type { Queryable } from "./queryable.js";
// Few at a time; connections that are kept for a while.
export { createSemaphore, type Semaphore } from "./semaphore.js";
export type { Session, SessionPool } from "./session-pool.js";
// Prepared statements.
export { defineStatement, jsonTime, type RawRow, rowsOfArrays, type SqlValue, type Statement } from "./statement.js";
