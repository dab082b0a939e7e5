import { z } from "zod";
import { listOf } from "./bounded.js";
import { errorTexts } from "./error-texts.js";
import { located } from "./located.js";
import { embedLimits, type StoredEmbed, textsOfEmbeds } from "./resources/embed.js";
import { codePointLength, isHttpUrl, text, urlLengthMax } from "./text.js";

const httpUrlReason = `must be an http:// or https:// address of at most ${urlLengthMax} characters`;

/** An http(s) address of a request. */
export const httpUrlInput = text({ min: 1, max: urlLengthMax, message: httpUrlReason }).refine(
  isHttpUrl,
  httpUrlReason,
);

const required = (max: number) => text({ min: 1, max, message: `must be 1-${max} characters` });

/** An optional field; null and an empty text mean the same. */
const optional = <Z extends z.ZodType>(schema: Z) =>
  z.preprocess((value) => (value === "" || value === undefined ? null : value), schema.nullable()).optional();

const optionalText = (max: number) => optional(required(max));
const picture = optional(z.object({ url: httpUrlInput }));

const colorReason = "must be #RRGGBB or 0-16777215";
const isColor = (value: string | number | null): boolean => {
  if (typeof value === "string") return value === "" || /^#[0-9a-f]{6}$/i.test(value);
  return value === null || (Number.isInteger(value) && value >= 0 && value <= 0xffffff);
};
const color = z
  .union([z.string(), z.number(), z.null()], colorReason)
  .refine(isColor, colorReason)
  .transform((value) => (value === "" ? null : value));

const timeReason = "must be a time in ISO 8601";
const time = z
  .string(timeReason)
  .refine((value) => z.iso.datetime({ offset: true }).safeParse(value).success, timeReason);

const field = z.object({
  name: required(embedLimits.fieldName),
  value: required(embedLimits.fieldValue),
  inline: z.boolean().nullish(),
});

/** An embed as it is sent (docs/protocol/apps.md#25.4). */
export const EmbedInput = z.object({
  title: optionalText(embedLimits.title),
  description: optionalText(embedLimits.description),
  url: optional(httpUrlInput),
  color: color.optional(),
  timestamp: optional(time),
  author: optional(
    z.object({ name: required(embedLimits.author), url: optional(httpUrlInput), icon_url: optional(httpUrlInput) }),
  ),
  footer: optional(z.object({ text: required(embedLimits.footer), icon_url: optional(httpUrlInput) })),
  image: picture,
  thumbnail: picture,
  fields: listOf(field, { max: embedLimits.fields }).nullish(),
});
type EmbedInput = z.output<typeof EmbedInput>;

function toStored(embed: EmbedInput): StoredEmbed {
  const { author, footer, image, thumbnail } = embed;
  return {
    title: embed.title ?? null,
    description: embed.description ?? null,
    url: embed.url ?? null,
    color: typeof embed.color === "number" ? hexOf(embed.color) : (embed.color?.toLowerCase() ?? null),
    timestamp: embed.timestamp ? new Date(embed.timestamp).toISOString() : null,
    author: author ? { name: author.name, url: author.url ?? null, icon_url: author.icon_url ?? null } : null,
    footer: footer ? { text: footer.text, icon_url: footer.icon_url ?? null } : null,
    image: image ?? null,
    thumbnail: thumbnail ?? null,
    fields: (embed.fields ?? []).map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })),
  };
}

const hexOf = (color: number) => `#${color.toString(16).padStart(6, "0")}`;

const isEmpty = ({ title, description, author, footer, image, thumbnail, fields }: StoredEmbed) =>
  !title && !description && !author && !footer && !image && !thumbnail && fields.length === 0;

const textsLength = (embeds: readonly StoredEmbed[]) =>
  textsOfEmbeds(embeds).reduce((sum, text) => sum + codePointLength(text), 0);

/** The embeds of a message, as they are stored. */
export const embedList = listOf(EmbedInput, { max: embedLimits.embeds })
  .transform((list) => list.map(toStored))
  .superRefine((list, context) => {
    const empty = list.findIndex(isEmpty);
    if (empty >= 0) context.addIssue({ code: "custom", path: [empty], message: "must not be empty" });
    if (textsLength(list) > embedLimits.texts) {
      context.addIssue({ code: "custom", message: `must have at most ${embedLimits.texts} characters together` });
    }
  });

/** The same; the 400 names the path of the first fault. */
export const embedsInput = located(embedList, errorTexts.embeds_invalid).nullish();
