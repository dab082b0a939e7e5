import { isReactionEmoji, isUuid } from "@parley/contracts";
import { z } from "zod";
import { isoMilliseconds } from "../times.js";

const id = z.string().refine(isUuid);
const maybeId = id.nullish().transform((value) => value ?? null);
const text = z.string();
const maybeText = text.nullish().transform((value) => value ?? null);
const count = z.int().min(0);
/** A number that a column of 32 bits takes. */
const stored = count.max(2_147_483_647);
const slowModeMax = 21_600;
const userLimitMax = 99;
const time = text.transform((value, context) => {
  const at = isoMilliseconds(value);
  if (at !== null) return at;
  context.addIssue({ code: "custom", message: "must be a time" });
  return z.NEVER;
});
const maybeTime = time.nullish().transform((value) => value ?? null);

export const manifestSchema = z.object({ name: text, sha256: text });

const flag = z.boolean().optional();

export const serverSchema = z.object({
  id,
  name: text,
  is_public: flag,
  require_invite: flag,
  hierarchy: flag,
  require_second_factor: flag,
  description: text.optional(),
  tags: z.array(text).optional(),
  language: text.optional(),
  timezone: text.optional(),
  created_at: maybeTime,
});

export const categorySchema = z.object({ name: text });

export const channelSchema = z.object({
  id,
  name: text,
  type: text,
  category: maybeText,
  topic: maybeText,
  position: count.optional(),
  slow_mode_seconds: z.int().min(1).max(slowModeMax).optional(),
  user_limit: z.int().min(1).max(userLimitMax).optional(),
  created_at: maybeTime,
});

export const roleSchema = z.object({
  id,
  name: text,
  permissions: count,
  color: maybeText,
  position: count,
  rights: z.array(text).optional(),
  mentionable: z.boolean().optional(),
  created_at: maybeTime,
});

export const overrideSchema = z.object({
  channel_id: id,
  role_id: maybeId,
  user_id: maybeId,
  allow: count,
  deny: count,
});
export type ParleyOverride = z.output<typeof overrideSchema>;

export const memberSchema = z.object({
  user_id: id,
  username: text,
  nickname: maybeText,
  display_name: maybeText,
  roles: z.array(z.object({ id })).optional(),
  is_bot: z.boolean().optional(),
  joined_at: maybeTime,
});

export const personSchema = z.object({
  id,
  username: text,
  name: text,
  is_bot: z.boolean(),
  roles: z.array(id).optional(),
  created_at: maybeTime,
});

export const emojiSchema = z.object({ id, name: text, path: text, created_by: maybeId, created_at: maybeTime });

export const banSchema = z.object({
  user_id: id,
  banned_by: maybeId,
  reason: maybeText,
  created_at: time,
  expires_at: maybeTime,
});

export const inviteSchema = z.object({
  id,
  code: text,
  created_by: maybeId,
  uses: stored,
  max_uses: stored.nullable(),
  created_at: time,
  expires_at: maybeTime,
  role_ids: z.array(id).optional(),
  vanity: flag,
});

export const automodRuleSchema = z.object({
  id,
  name: text,
  enabled: z.boolean(),
  trigger: z.record(text, z.unknown()),
  actions: z.array(z.unknown()),
  exempt_role_ids: z.array(id),
  exempt_channel_ids: z.array(id),
  created_by: maybeId,
  created_at: time,
  updated_at: time,
});

const poll = z.object({
  question: text,
  options: z.array(z.object({ text, votes: count, voters: z.array(id).optional() })).max(100),
  multiple: z.int().positive().optional(),
  ends_at: maybeTime,
});
export type ParleyPoll = z.output<typeof poll>;

const event = z.object({
  name: text,
  description: maybeText,
  starts_at: time,
  ends_at: maybeTime,
  place: maybeText,
  voice_channel_id: maybeId,
  interested: z.array(id).optional(),
  created_at: maybeTime,
});
export type ParleyEvent = z.output<typeof event>;

const attachment = z.object({ filename: text, file_size: count, path: text });
export type ParleyAttachment = z.output<typeof attachment>;

/** Exports without files have no paths. */
const forwarded = z.object({
  server_id: maybeId,
  channel_id: id,
  message_id: id,
  author: z.object({ id, nickname: maybeText, display_name: text.optional() }).nullish(),
  content: text,
  created_at: time,
  attachments: z.array(attachment.extend({ path: text.default("") })).optional(),
});
export type ParleyForward = z.output<typeof forwarded>;

/** As it was stored or answered; `embeds.ts` makes it fit. */
const embed = z.looseObject({
  title: text.nullish(),
  description: text.nullish(),
  author: z.looseObject({ name: text.nullish() }).nullish(),
  footer: z.looseObject({ text: text.nullish() }).nullish(),
  fields: z.array(z.looseObject({ name: text.nullish(), value: text.nullish() })).nullish(),
});

const reaction = z.object({ emoji: text.refine(isReactionEmoji), people: z.array(id) });
export type ParleyReaction = z.output<typeof reaction>;

export const messageSchema = z.object({
  id,
  author_id: maybeId,
  content: text,
  reply_to: maybeId,
  mention_user_ids: z.array(id).optional(),
  mention_everyone: z.boolean().optional(),
  mention_here: z.boolean().optional(),
  mention_role_ids: z.array(id).optional(),
  thread_id: maybeId,
  edited_at: maybeTime,
  deleted: z.boolean().optional(),
  created_at: time,
  pinned: z.boolean().optional(),
  pinned_by: maybeId,
  pinned_at: maybeTime,
  poll: poll.nullish(),
  event: event.nullish(),
  embeds: z.array(embed).optional(),
  components: z.array(z.unknown()).optional(),
  webhook: z.object({ name: text }).nullish(),
  interaction: z.object({ id, user_id: id, name: text }).nullish(),
  forwarded: forwarded.nullish(),
  thread: z.object({ title: maybeText, closed: z.boolean().optional() }).nullish(),
  reactions: z.array(reaction).optional(),
  attachments: z.array(attachment).optional(),
});
export type ParleyMessage = z.output<typeof messageSchema>;
