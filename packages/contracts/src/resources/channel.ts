import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

export const channelTypes = ["text", "voice"] as const;

/** A channel of a server (4.9). */
export const Channel = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string(),
    type: z.enum(channelTypes),
    position: z.int(),
    category: z.string().nullable(),
    topic: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof Channel>;

/** A permission override of a channel for one role or one user (4.10). */
export const ChannelOverride = z
  .object({
    id: uuid,
    channel_id: uuid,
    role_id: uuid.nullable(),
    user_id: uuid.nullable(),
    allow: z.int(),
    deny: z.int(),
  })
  .meta({ id: "ChannelOverride" });
export type ChannelOverride = z.infer<typeof ChannelOverride>;
