import { z } from "zod";

const text = z.string().nullish();
const name = z.string().min(1);
const milliseconds = z.number().int().nullish();
const list = <Z extends z.ZodType>(item: Z) => z.array(item).nullish();

/** A line: its kind, and under that name its object. */
export const lineSchema = z.looseObject({ type: name, version: z.number().nullish() });

export const teamSchema = z.object({ name, display_name: text, description: text });

export const channelSchema = z.object({
  team: name,
  name,
  display_name: text,
  type: text,
  header: text,
  purpose: text,
  deleted_at: milliseconds,
  delete_at: milliseconds,
});

export const userSchema = z.object({
  username: name,
  email: text,
  nickname: text,
  first_name: text,
  last_name: text,
  profile_image: text,
  delete_at: milliseconds,
});

export const botSchema = z.object({ username: name, display_name: text, profile_image: text, delete_at: milliseconds });

export const emojiSchema = z.object({ name, image: z.string() });

export const roleSchema = z.object({ name: text });

const written = {
  user: name,
  type: text,
  message: text,
  props: z.looseObject({}).nullish(),
  create_at: z.number().int(),
  edit_at: milliseconds,
  is_pinned: z.boolean().nullish(),
  reactions: list(z.object({ user: name, emoji_name: name })),
  attachments: list(z.object({ path: z.string() })),
};
export const replySchema = z.object(written);
export type MattermostReply = z.output<typeof replySchema>;

export const postSchema = z.object({ ...written, team: name, channel: name, replies: list(z.unknown()) });
export type MattermostPost = z.output<typeof postSchema>;

/** The replies of a post that can be read. */
export const repliesOf = ({ replies }: MattermostPost): MattermostReply[] =>
  (replies ?? []).flatMap((reply) => replySchema.safeParse(reply).data ?? []);

export const directPostSchema = z.object({
  channel_members: list(z.string()),
  members: list(z.string()),
  replies: list(z.unknown()),
});
