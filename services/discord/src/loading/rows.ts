import { rightNamesOf } from "@parley/contracts";
import { z } from "zod";

/** A role as it is stored. */
export const roleRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  permissions: z.int(),
  rights: z.int().transform(rightNamesOf),
  color: z.string(),
  position: z.int(),
});
export const roleColumns = ["id", "server_id", "name", "permissions", "rights", "color", "position"] as const;

/** A channel as it is stored, with its time as text. */
export const channelRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  type: z.enum(["text", "voice"]),
  position: z.int(),
  category: z.string().nullable(),
  topic: z.string().nullable(),
  slow_mode_seconds: z.int(),
  created_at: z.string(),
});

/** The root message of a thread, with its time as text. */
export const threadRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  server_id: z.string(),
  author_id: z.string().nullable(),
  content: z.string(),
  thread_reply_count: z.int(),
  created_at: z.string(),
});

/** A permission override of a channel. */
export const overrideRow = z.object({
  role_id: z.string().nullable(),
  user_id: z.string().nullable(),
  allow: z.int(),
  deny: z.int(),
});

export const emojiRow = z.object({ id: z.string(), name: z.string(), content_type: z.string() });
