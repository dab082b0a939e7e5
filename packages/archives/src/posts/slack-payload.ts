import { checksWithin, embedLimits } from "@parley/contracts";
import { z } from "zod";

/** Slack's own bound of blocks, and more fields, elements and actions than it takes. */
const blocksMax = 50;
const partsMax = 25;

// A part that cannot be read counts as absent, so that the rest of the post is shown.
/** Programs also send numbers, truths and falsehoods where Slack has a text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
// Without faults: making one for each of thousands of entries would hold the event loop for long.
const text = z.unknown().optional().transform(textOf);

/** A text with the kind of its markup, which is `mrkdwn` unless it says otherwise. */
function textObjectOf(value: unknown): { type: string; text: string } | undefined {
  const isObject = typeof value === "object" && value !== null && "text" in value;
  const text = textOf(isObject ? value.text : value);
  const type = isObject && "type" in value && typeof value.type === "string" ? value.type : "mrkdwn";
  return text === undefined ? undefined : { type, text };
}
const textObject = z.unknown().optional().transform(textObjectOf);

/** Only so many entries are looked at. */
const list = <Z extends z.ZodType>(item: Z, max: number) =>
  checksWithin(
    z
      .preprocess((given) => (Array.isArray(given) ? given.slice(0, max) : []), z.array(z.unknown()).max(max))
      .transform((items) =>
        items.flatMap((value): z.output<Z>[] => {
          const { success, data } = item.safeParse(value);
          return success ? [data] : [];
        }),
      ),
    item,
  );

const element = z.object({
  type: z.string(),
  /** An object in buttons, a text in the texts of a context. */
  text: textObject,
  url: text,
  image_url: text,
});
export type SlackElement = z.output<typeof element>;

const block = z.object({
  type: z.string(),
  text: textObject,
  fields: list(textObject, partsMax).transform((fields) => fields.filter((field) => field !== undefined)),
  accessory: element.optional().catch(undefined),
  elements: list(element, partsMax),
  image_url: text,
  title: textObject,
});
export type SlackBlock = z.output<typeof block>;

/** An attachment of Slack's form; what cannot be read counts as absent. */
export const slackAttachment = z.object({
  color: text,
  fallback: text,
  pretext: text,
  author_name: text,
  author_link: text,
  author_icon: text,
  title: text,
  title_link: text,
  text,
  fields: list(z.object({ title: text, value: text, short: z.boolean().optional().catch(undefined) }), partsMax),
  image_url: text,
  thumb_url: text,
  footer: text,
  footer_icon: text,
  ts: z.coerce.number().optional().catch(undefined),
  actions: list(element, partsMax),
  blocks: list(block, blocksMax),
});
export type SlackAttachment = z.output<typeof slackAttachment>;

/** A body for Slack's incoming webhooks, as far as a message shows it. */
export const slackPayload = z.object({
  text,
  username: text,
  icon_url: text,
  attachments: list(slackAttachment, embedLimits.embeds),
  blocks: list(block, blocksMax),
});
