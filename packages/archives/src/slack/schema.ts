import { z } from "zod";

const text = z.string().nullish();
const flag = z.boolean().nullish();
const list = <Z extends z.ZodType>(item: Z) => z.array(item).nullish();
const seconds = z.union([z.number(), z.string()]).nullish();

/** A time that is also the id of a message in its channel. */
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

const profile = z.object({ display_name: text, real_name: text, name: text, email: text });
export type SlackProfile = z.output<typeof profile>;

export const userSchema = z.object({
  id: z.string().min(1),
  team_id: text,
  name: text,
  real_name: text,
  deleted: flag,
  is_bot: flag,
  is_email_confirmed: flag,
  profile: profile.nullish(),
});
export type SlackUser = z.output<typeof userSchema>;

const said = z.object({ value: text }).nullish();

export const conversationSchema = z.object({
  id: z.string().min(1),
  name: text,
  created: seconds,
  is_archived: flag,
  is_private: flag,
  is_im: flag,
  is_mpim: flag,
  topic: said,
  purpose: said,
  pins: list(z.object({ id: text, created: seconds, user: text })),
});
export type SlackConversation = z.output<typeof conversationSchema>;

const file = z.object({
  id: text,
  name: text,
  title: text,
  mode: text,
  filetype: text,
  is_external: flag,
  url_private: text,
  permalink: text,
});
export type SlackFile = z.output<typeof file>;

/** A message of a day's file, as far as it is read; what bots attach is read by `slackAttachment` and `slackPayload`. */
export const messageSchema = z.object({
  ts,
  subtype: text,
  user: text,
  username: text,
  bot_id: text,
  bot_profile: z.object({ name: text }).nullish(),
  user_profile: profile.nullish(),
  text,
  comment: z.object({ user: text }).nullish(),
  pinned_to: list(z.string()),
  pinned_info: z.object({ pinned_by: text, pinned_ts: seconds }).nullish(),
  thread_ts: ts.nullish(),
  reply_count: z.number().nullish(),
  edited: z.object({ ts: seconds }).nullish(),
  reactions: list(z.object({ name: z.string(), users: list(z.string()), count: z.number().int().min(0).nullish() })),
  files: list(file),
  file: file.nullish(),
  attachments: list(z.looseObject({ from_url: text, is_msg_unfurl: flag })),
  blocks: list(z.looseObject({ type: text })),
});
export type SlackMessage = z.output<typeof messageSchema>;

export const canvasSchema = z.object({ id: text, title: text, name: text });
