import { z } from "zod";
import { Channel } from "./channel.js";
import { timestamp, uuid } from "./identifiers.js";
import { Role } from "./role.js";
import { botMark, presenceFields, username } from "./user.js";

const rawFields = {
  id: uuid,
  name: z.string().meta({ minLength: 1, maxLength: 100, example: "Chess club" }),
  owner_id: uuid,
  icon_url: z.string().nullable().meta({ maxLength: 2048, example: "https://example.com/chess.png" }),
  is_public: z.boolean(),
  require_invite: z.boolean().meta({ description: "Nobody joins without an invite, public or not" }),
  hierarchy: z
    .literal(true)
    .optional()
    .meta({ description: "Role positions limit kicks, bans and timeouts; no key where they do not" }),
};
const times = { created_at: timestamp, updated_at: timestamp };

/** A server as READY carries it (docs/protocol/objects.md#4.5, raw). */
export const RawServer = z.object({ ...rawFields, ...times }).meta({ id: "RawServer" });
export type RawServer = z.infer<typeof RawServer>;

/** A server as REST answers with it (docs/protocol/objects.md#4.5, full and browse). */
export const Server = z
  .object({ ...rawFields, member_count: z.int().meta({ minimum: 0, example: 12 }), ...times })
  .meta({ id: "Server" });
export type Server = z.infer<typeof Server>;

/** A member of a server (docs/protocol/objects.md#4.7). */
export const Member = z
  .object({
    user_id: uuid,
    username,
    avatar_url: z.string().nullable(),
    ...presenceFields,
    nickname: z.string().nullable(),
    joined_at: timestamp,
    timeout_expires_at: timestamp.nullable().meta({ description: "Only while it is in the future" }),
    roles: z.array(Role.pick({ id: true, name: true, color: true, position: true })).meta({
      description: "Highest position first",
    }),
    ...botMark,
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

/** The content that a new server can begin with (docs/protocol/communities.md#18.3). */
export const ServerTemplate = z
  .object({
    id: uuid,
    name: z.string().meta({ example: "Study group" }),
    description: z.string().meta({ example: "For a class or a course" }),
    category: z.enum(["gaming", "community", "study", "custom"]),
    channels: z.array(Channel.pick({ name: true, type: true, category: true, position: true })),
    is_builtin: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "ServerTemplate" });
export type ServerTemplate = z.infer<typeof ServerTemplate>;

/** How long the messages of a server are kept (docs/protocol/communities.md#18.3). */
export const Retention = z
  .object({
    retention_days: z.int().nullable().meta({ minimum: 1, maximum: 3650, example: 90 }),
    instance_retention_days: z.int().nullable().meta({
      minimum: 1,
      maximum: 3650,
      description: "Days of the whole instance; the fewer count",
    }),
  })
  .meta({ id: "Retention" });
export type Retention = z.infer<typeof Retention>;

/** Answer of join and invite accept (docs/protocol/communities.md#5.2, docs/protocol/communities.md#6.4). */
export const JoinedServer = z
  .object({ message: z.literal("Joined server"), server_id: uuid })
  .meta({ id: "JoinedServer" });
export type JoinedServer = z.infer<typeof JoinedServer>;
