import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { PresenceStatus } from "./user.js";

const rawFields = {
  id: uuid,
  name: z.string(),
  owner_id: uuid,
  icon_url: z.string().nullable(),
  is_public: z.boolean(),
};
const times = { created_at: timestamp, updated_at: timestamp };

/** A server as READY carries it (4.5, raw). */
export const RawServer = z.object({ ...rawFields, ...times }).meta({ id: "RawServer" });
export type RawServer = z.infer<typeof RawServer>;

/** A server as REST answers with it (4.5, full and browse). */
export const Server = z.object({ ...rawFields, member_count: z.int(), ...times }).meta({ id: "Server" });
export type Server = z.infer<typeof Server>;

/** A member of a server (4.7). */
export const Member = z
  .object({
    user_id: uuid,
    username: z.string(),
    avatar_url: z.string().nullable(),
    status: PresenceStatus,
    custom_status: z.string().nullable(),
    activity: z.string().nullable(),
    nickname: z.string().nullable(),
    joined_at: timestamp,
    timeout_expires_at: timestamp.nullable(),
    roles: z.array(z.object({ id: uuid, name: z.string(), color: z.string(), position: z.int() })),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

/** Answer of join and invite accept (5.2, 6.4). */
export const JoinedServer = z
  .object({ message: z.literal("Joined server"), server_id: uuid })
  .meta({ id: "JoinedServer" });
export type JoinedServer = z.infer<typeof JoinedServer>;
