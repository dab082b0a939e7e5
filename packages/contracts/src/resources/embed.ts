import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { avatarUrl } from "./user.js";

/** Bounds of a message's embeds and of their content; texts in code points (docs/protocol/apps.md#25.4). */
export const embedLimits = {
  embeds: 10,
  title: 256,
  description: 4096,
  author: 256,
  footer: 2048,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  /** Texts of all embeds of a message together. */
  texts: 6000,
  /** Bytes of JSON of the embeds and components of a message, as they are answered. */
  bytes: 65_536,
} as const;

const title = z.string().nullable().meta({ maxLength: embedLimits.title, example: "Build 412" });
const url = z.string().meta({ maxLength: 2048, example: "https://example.com/board.png" });
const proxyUrl = z.string().meta({
  description: "The same picture from this instance, signed; relative to the API's base, as `url` of an attachment",
  example: "/embed-pictures?url=https%3A%2F%2Fexample.com%2Fboard.png&sig=5ab1",
});
const storedPicture = z.object({ url });
const picture = storedPicture.extend({ proxy_url: proxyUrl });
const storedAuthor = z.object({
  name: z.string().meta({ minLength: 1, maxLength: embedLimits.author, example: "ann" }),
  url: url.nullable(),
  icon_url: url.nullable(),
});
const storedFooter = z.object({
  text: z.string().meta({ minLength: 1, maxLength: embedLimits.footer, example: "main" }),
  icon_url: url.nullable(),
});
const proxyIcon = { proxy_icon_url: proxyUrl.nullable() };

/** An embed as it is stored: pictures get their `proxy_url` when it is read. */
export const StoredEmbed = z.object({
  title,
  description: z.string().nullable().meta({ maxLength: embedLimits.description }),
  url: url.nullable(),
  color: z.string().nullable().meta({ pattern: "^#[0-9a-f]{6}$", example: "#3ba55d" }),
  timestamp: timestamp.nullable(),
  author: storedAuthor.nullable(),
  footer: storedFooter.nullable(),
  image: storedPicture.nullable(),
  thumbnail: storedPicture.nullable(),
  fields: z
    .array(
      z.object({
        name: z.string().meta({ minLength: 1, maxLength: embedLimits.fieldName, example: "Duration" }),
        value: z.string().meta({ minLength: 1, maxLength: embedLimits.fieldValue, example: "4 minutes" }),
        inline: z.boolean(),
      }),
    )
    .meta({ maxItems: embedLimits.fields }),
});
export type StoredEmbed = z.infer<typeof StoredEmbed>;

/** A part of a message with a form: title, fields, pictures (docs/protocol/apps.md#25.4). Absent parts are null. */
export const Embed = StoredEmbed.extend({
  author: storedAuthor.extend(proxyIcon).nullable(),
  footer: storedFooter.extend(proxyIcon).nullable(),
  image: picture.nullable(),
  thumbnail: picture.nullable(),
}).meta({ id: "Embed" });
export type Embed = z.infer<typeof Embed>;

/** The incoming webhook that sent a message, under the name that the message has (docs/protocol/webhooks.md#25.5). */
export const MessageWebhook = z
  .object({
    id: uuid,
    name: z.string().meta({ minLength: 1, maxLength: 80, example: "Builds" }),
    avatar_url: avatarUrl,
  })
  .meta({ id: "MessageWebhook" });
export type MessageWebhook = z.infer<typeof MessageWebhook>;

/** The texts of embeds, in the order of reading, for auto-moderation and search. */
export function textsOfEmbeds(embeds: readonly StoredEmbed[]): string[] {
  return embeds.flatMap(({ title, description, author, footer, fields }) => {
    const texts = [
      author?.name,
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
      footer?.text,
    ];
    return texts.filter((text) => text !== undefined && text !== null);
  });
}
