// The database with Prisma, for processes that use its model methods.
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
export { connectDatabase, type Database, type Queryable, type Transaction } from "./prisma.js";
