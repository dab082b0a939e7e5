import { isBlank } from "@parley/contracts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value with its fields changed; anything but an object stays, for the check that follows to refuse it. */
const mapFields = (value: unknown, change: (fields: Fields) => unknown): unknown =>
  isFields(value) ? change(value) : value;

const isEmpty = (value: unknown) => value === null || (typeof value === "string" && isBlank(value));

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

/** A part of an embed that is nothing without one of its fields. */
const partWith = (part: unknown, needed: string): unknown =>
  mapFields(part, (fields) => (isEmpty(fields[needed] ?? null) ? undefined : withoutEmpty(fields)));

const colorOf = (color: unknown): unknown =>
  typeof color === "string" && /^\d+$/.test(color.trim()) ? Number(color) : color;

/** `name` and `value` are no optional keys. */
const withoutEmptyInline = ({ inline, ...field }: Fields): Fields => (isEmpty(inline) ? field : { ...field, inline });

function tidyEmbed(embed: Fields): Fields {
  const { author, footer, image, thumbnail, color, fields, ...others } = withoutEmpty(embed);
  return {
    ...others,
    author: partWith(author, "name"),
    footer: partWith(footer, "text"),
    image: partWith(image, "url"),
    thumbnail: partWith(thumbnail, "url"),
    color: colorOf(color),
    fields: Array.isArray(fields) ? fields.map((field) => mapFields(field, withoutEmptyInline)) : fields,
  };
}

/**
 * A body for Discord's webhooks without its optional keys that hold nothing: programs send those that nobody filled in
 * (docs/interface.md#25.5). Digits of a colour become its number.
 *
 * @param body as it was posted; what is wrong with it stays wrong
 */
export function tidyDiscord(body: unknown): unknown {
  return mapFields(body, (given) => {
    const { embeds, allowed_mentions: mentions, ...others } = withoutEmpty(given);
    return {
      ...others,
      allowed_mentions: mapFields(mentions, withoutEmpty),
      embeds: Array.isArray(embeds) ? embeds.map((embed) => mapFields(embed, tidyEmbed)) : embeds,
    };
  });
}
