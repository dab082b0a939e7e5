import { z } from "zod";
import { Channel } from "./channel.js";
import { timestamp, uuid } from "./identifiers.js";
import { Role } from "./role.js";
import { botMark, displayName, presenceFields, username } from "./user.js";

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
const secondFactor = {
  require_second_factor: z
    .literal(true)
    .optional()
    .meta({ description: "Members moderate with a second factor or a passkey only; no key where they need none" }),
};
/** Most tags of a server, and the form of one. */
export const serverTagsMax = 5;
export const serverTagPattern = /^[a-z0-9-]{2,24}$/;
/** Longest description of a server. */
export const serverDescriptionMax = 300;
const faceKeys = {
  description: z
    .string()
    .meta({ maxLength: serverDescriptionMax, example: "Openings, endgames and a tournament every month" }),
  tags: z
    .array(z.string().meta({ pattern: serverTagPattern.source, maxLength: 24, example: "chess" }))
    .meta({ maxItems: serverTagsMax }),
  language: z.string().meta({ maxLength: 35, description: "A tag of BCP 47", example: "de-AT" }),
  banner_url: z.string().meta({ maxLength: 2048, description: "16:9, up to 960 pixels wide" }),
  timezone: z.string().meta({ maxLength: 64, description: "Of the IANA; no key for UTC", example: "Europe/Vienna" }),
};
/** What a server shows of itself; a key is there only where it was set. */
const face = {
  description: faceKeys.description.optional(),
  tags: faceKeys.tags.optional(),
  language: faceKeys.language.optional(),
  banner_url: faceKeys.banner_url.optional(),
  timezone: faceKeys.timezone.optional(),
};
const times = { created_at: timestamp, updated_at: timestamp };

/** A server as READY carries it (docs/protocol/objects.md#4.5, raw). */
export const RawServer = z.object({ ...rawFields, ...times, ...face, ...secondFactor }).meta({ id: "RawServer" });
export type RawServer = z.infer<typeof RawServer>;

/** A server as REST answers with it (docs/protocol/objects.md#4.5, full and browse). */
export const Server = z
  .object({ ...rawFields, member_count: z.int().meta({ minimum: 0, example: 12 }), ...times, ...face, ...secondFactor })
  .meta({ id: "Server" });
export type Server = z.infer<typeof Server>;

/** A public server as a search for one answers with it (docs/protocol/communities.md#34.4). */
export const FoundServer = Server.extend({
  description: faceKeys.description.nullable(),
  tags: faceKeys.tags.nullable(),
  language: faceKeys.language.nullable(),
  banner_url: faceKeys.banner_url.nullable(),
  online_count: z.int().meta({ minimum: 0, description: "At most 5 s old", example: 3 }),
}).meta({ id: "FoundServer" });
export type FoundServer = z.infer<typeof FoundServer>;

/** A page of them. */
export const FoundServers = z
  .object({
    servers: z.array(FoundServer),
    next: z.string().nullable().meta({ description: "`after` of the next page; null at the end" }),
  })
  .meta({ id: "FoundServers" });
export type FoundServers = z.infer<typeof FoundServers>;

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
    ...displayName,
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
