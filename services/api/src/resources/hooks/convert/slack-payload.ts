import { z } from "zod";

// What cannot be read counts as not there: a post is shown as far as it is understood.
/** Programs also send numbers, truths and falsehoods where Slack has a text. */
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const text = scalar.optional().catch(undefined);
const list = <Z extends z.ZodType>(item: Z) =>
  z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((items) =>
      items.flatMap((value): z.output<Z>[] => {
        const { success, data } = item.safeParse(value);
        return success ? [data] : [];
      }),
    );

const textObject = z.union([
  z.object({ type: z.string().catch("mrkdwn"), text: scalar }),
  scalar.transform((text) => ({ type: "mrkdwn", text })),
]);
const optionalTextObject = textObject.optional().catch(undefined);

const element = z.object({
  type: z.string(),
  /** Of buttons an object, of texts in a context a text. */
  text: optionalTextObject,
  url: text,
  image_url: text,
});
export type SlackElement = z.output<typeof element>;

const block = z.object({
  type: z.string(),
  text: optionalTextObject,
  fields: list(textObject),
  accessory: element.optional().catch(undefined),
  elements: list(element),
  image_url: text,
  title: optionalTextObject,
});
export type SlackBlock = z.output<typeof block>;

const attachment = z.object({
  color: text,
  fallback: text,
  pretext: text,
  author_name: text,
  author_link: text,
  author_icon: text,
  title: text,
  title_link: text,
  text,
  fields: list(z.object({ title: text, value: text, short: z.boolean().optional().catch(undefined) })),
  image_url: text,
  thumb_url: text,
  footer: text,
  footer_icon: text,
  ts: z.coerce.number().optional().catch(undefined),
  actions: list(element),
  blocks: list(block),
});
export type SlackAttachment = z.output<typeof attachment>;

/** What is posted to Slack's incoming webhooks, as far as it is shown. */
export const slackPayload = z.object({
  text,
  username: text,
  icon_url: text,
  attachments: list(attachment),
  blocks: list(block),
});
