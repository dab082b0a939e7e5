import { embedLimits, isBlank } from "@parley/contracts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value with its fields changed; anything but an object stays, for the check that follows to refuse it. */
const mapFields = (value: unknown, change: (fields: Fields) => unknown): unknown =>
  isFields(value) ? change(value) : value;

/** A list with its entries changed; one that is too long stays, for the check that follows to refuse it. */
const mapFew = (value: unknown, max: number, change: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) && value.length <= max ? value.map(change) : value;

const isEmpty = (value: unknown) => value === null || (typeof value === "string" && isBlank(value));

/** The fields with these names that hold something: others are ignored, however many there are. */
const filled = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (isEmpty(fields[name] ?? null) ? [] : [[name, fields[name]]])));

/** A part of an embed that is nothing without the first of its fields. */
const part = (given: unknown, names: readonly [needed: string, ...others: string[]]): unknown =>
  mapFields(given, (fields) => (isEmpty(fields[names[0]] ?? null) ? undefined : filled(fields, names)));

const colorOf = (color: unknown): unknown =>
  typeof color === "string" && /^\d+$/.test(color.trim()) ? Number(color) : color;

/** `name` and `value` are no optional keys. */
const tidyField = ({ name, value, inline }: Fields): Fields => ({
  name,
  value,
  ...(isEmpty(inline ?? null) ? {} : { inline }),
});

const embedNames = [
  "title",
  "description",
  "url",
  "color",
  "timestamp",
  "author",
  "footer",
  "image",
  "thumbnail",
  "fields",
];
const bodyNames = ["content", "username", "avatar_url", "thread_id", "embeds", "allowed_mentions"];

function tidyEmbed(embed: Fields): Fields {
  const { author, footer, image, thumbnail, color, fields, ...others } = filled(embed, embedNames);
  return {
    ...others,
    author: part(author, ["name", "url", "icon_url"]),
    footer: part(footer, ["text", "icon_url"]),
    image: part(image, ["url"]),
    thumbnail: part(thumbnail, ["url"]),
    color: colorOf(color),
    fields: mapFew(fields, embedLimits.fields, (field) => mapFields(field, tidyField)),
  };
}

/**
 * A body for Discord's webhooks without its empty optional keys: programs send fields that nobody filled in
 * (docs/protocol/webhooks.md#25.5). Digits of a colour become its number.
 *
 * @param body as it was posted; its faults stay
 */
export function tidyDiscord(body: unknown): unknown {
  return mapFields(body, (given) => {
    const { embeds, allowed_mentions: mentions, ...others } = filled(given, bodyNames);
    return {
      ...others,
      allowed_mentions: mapFields(mentions, (named) => filled(named, ["parse", "users", "roles"])),
      embeds: mapFew(embeds, embedLimits.embeds, (embed) => mapFields(embed, tidyEmbed)),
    };
  });
}
