import { z } from "zod";
import { secondsToMilliseconds } from "../times.js";

/** Numbers; external ids are texts. */
const id = z.int().min(0).transform(String);
const text = z.string();
const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);
const time = z.number().transform((seconds, context) => {
  const at = secondsToMilliseconds(seconds);
  if (at !== null) return at;
  context.addIssue({ code: "custom", message: "must be a time" });
  return z.NEVER;
});

export const realmSchema = z.object({ id, name: text, description: maybe(text) });

export const userSchema = z.object({
  id,
  full_name: maybe(text),
  email: maybe(text),
  delivery_email: maybe(text),
  date_joined: maybe(time),
  is_active: maybe(z.boolean()),
  is_bot: maybe(z.boolean()),
  is_mirror_dummy: maybe(z.boolean()),
});
export type ZulipUser = z.output<typeof userSchema>;

export const folderSchema = z.object({ id, name: text, order: maybe(z.int()) });
export type ZulipFolder = z.output<typeof folderSchema>;

export const streamSchema = z.object({
  id,
  name: text,
  description: maybe(text),
  date_created: maybe(time),
  invite_only: maybe(z.boolean()),
  deactivated: maybe(z.boolean()),
  folder: maybe(id),
});
export type ZulipStream = z.output<typeof streamSchema>;

export const recipientSchema = z.object({ id, type: z.int(), type_id: id });

export const groupSchema = z.object({ name: text, is_system_group: maybe(z.boolean()) });

export const emojiSchema = z.object({ id, name: text, file_name: maybe(text), deactivated: maybe(z.boolean()) });
export type ZulipEmoji = z.output<typeof emojiSchema>;

export const reactionSchema = z.object({
  user_profile: z.int().min(0),
  message: z.int().min(0),
  emoji_name: text,
  emoji_code: text,
  reaction_type: text,
});
export type ZulipReaction = z.output<typeof reactionSchema>;

export const recordSchema = z.object({ path: text, user_profile_id: maybe(id), file_name: maybe(text) });

export const messageSchema = z.object({
  id: z.int().min(0),
  sender: id,
  recipient: id,
  subject: text,
  content: text,
  rendered_content: maybe(text),
  date_sent: time,
  // A wrong time spoils the message.
  last_edit_time: time.nullish().transform((at) => at ?? null),
  edit_history: z.unknown().optional(),
});
export type ZulipMessage = z.output<typeof messageSchema>;
