import { z } from "zod";

export const id = z.string().regex(/^\d{1,20}$/);
const text = z.string().nullish();
const list = <Z extends z.ZodType>(item: Z) => z.array(item).nullish();

export const guildSchema = z.object({ id, name: z.string(), iconUrl: text });

export const channelSchema = z.object({
  id,
  type: z.string(),
  categoryId: id.nullish(),
  category: text,
  name: z.string(),
  topic: text,
});
export type DiscordChannel = z.output<typeof channelSchema>;

const role = z.object({ id, name: z.string(), color: text, position: z.number().nullish() });

const user = z.object({
  id,
  name: z.string(),
  nickname: text,
  isBot: z.boolean().nullish(),
  roles: list(role),
  avatarUrl: text,
});
export type DiscordUser = z.output<typeof user>;

const emoji = z.object({ id: text, name: z.string(), imageUrl: text });
export type DiscordEmoji = z.output<typeof emoji>;

const picture = z.object({ url: text, canonicalUrl: text }).nullish();

const embed = z.object({
  title: text,
  url: text,
  timestamp: text,
  description: text,
  color: text,
  author: z.object({ name: text, url: text, iconUrl: text, iconCanonicalUrl: text }).nullish(),
  thumbnail: picture,
  image: picture,
  images: list(picture),
  footer: z.object({ text, iconUrl: text, iconCanonicalUrl: text }).nullish(),
  fields: list(z.object({ name: z.string(), value: z.string(), isInline: z.boolean().nullish() })),
});
export type DiscordEmbed = z.output<typeof embed>;

const attachment = z.object({ url: z.string(), fileName: z.string() });
export type DiscordAttachment = z.output<typeof attachment>;

const sticker = z.object({ id: text, name: z.string() });

/** A message as JsonMessageWriter of the exporter writes it, as far as it is read. */
export const messageSchema = z.object({
  id,
  type: z.string(),
  timestamp: z.string(),
  timestampEdited: text,
  isPinned: z.boolean().nullish(),
  content: z.string(),
  author: user,
  attachments: list(attachment),
  embeds: list(embed),
  stickers: list(sticker),
  reactions: list(z.object({ emoji, count: z.number().int().min(0), users: list(user) })),
  mentions: list(user),
  inlineEmojis: list(emoji),
  reference: z.object({ type: text, messageId: text, channelId: text }).nullish(),
  forwardedMessage: z
    .object({ content: text, attachments: list(attachment), embeds: list(embed), stickers: list(sticker) })
    .nullish(),
});
export type DiscordMessage = z.output<typeof messageSchema>;
