import { isBlank } from "@parley/contracts";
import { addressOf, fit, type PostedEmbed, type PostedMessage } from "./posted-message.js";
import { convertBlocks, linkOf } from "./slack-blocks.js";
import { type ConvertMarkup, createConvertMarkup } from "./slack-markup.js";
import { type SlackAttachment, slackPayload } from "./slack-payload.js";

const namedColors = new Map([
  ["good", "#2eb886"],
  ["warning", "#daa038"],
  ["danger", "#a30200"],
]);

function colorOf(text: string | undefined): string | undefined {
  const color = namedColors.get(text ?? "") ?? (text?.startsWith("#") ? text : `#${text ?? ""}`);
  return /^#[0-9a-f]{6}$/i.test(color) ? color : undefined;
}

function timeOf(seconds: number | undefined): string | undefined {
  const time = new Date((seconds ?? Number.NaN) * 1_000);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9_999 ? undefined : time.toISOString();
}

/** Fields of embeds have a name and a value; Slack shows a field that has one of them. */
const seenText = (text: string) => (isBlank(text) ? "\u200b" : text);

const imageOf = (url: string | undefined) => (url === undefined ? undefined : { url });

/** An attachment of Slack's form as embeds, not cut yet: one, and one for each further picture of its blocks. */
export function slackEmbeds(attachment: SlackAttachment, convert: ConvertMarkup): PostedEmbed[] {
  const { author_name, footer, fields, actions } = attachment;
  const blocks = convertBlocks(attachment.blocks, convert);
  const [image, ...others] = [...[addressOf(attachment.image_url)].flatMap((url) => url ?? []), ...blocks.images];
  const texts = [attachment.pretext, attachment.text].map((text) => convert(text ?? ""));
  const links = actions.flatMap((action) => linkOf(action, convert)).join(" · ");
  const description = [...texts, blocks.text, links].filter(Boolean).join("\n");
  const shown: PostedEmbed = {
    title: attachment.title && convert(attachment.title),
    url: addressOf(attachment.title_link),
    description: description === "" && attachment.title === undefined ? attachment.fallback : description,
    color: colorOf(attachment.color),
    timestamp: timeOf(attachment.ts),
    author: author_name
      ? { name: author_name, url: addressOf(attachment.author_link), icon_url: addressOf(attachment.author_icon) }
      : undefined,
    footer: footer ? { text: footer, icon_url: addressOf(attachment.footer_icon) } : undefined,
    image: imageOf(image),
    thumbnail: imageOf(addressOf(attachment.thumb_url)),
    fields: fields.flatMap(({ title = "", value = "", short = false }) =>
      isBlank(title + value) ? [] : [{ name: seenText(title), value: seenText(convert(value)), inline: short }],
    ),
  };
  return [shown, ...others.map((url) => ({ image: { url } }))];
}

/**
 * Converts a post to Slack's incoming webhooks to a message here (docs/protocol/webhooks.md#25.5). With blocks, `text` is only
 * a fallback for them, as at Slack.
 *
 * @param payload as it was sent; unknown parts are dropped
 */
export function convertSlack(payload: unknown): PostedMessage {
  const { data } = slackPayload.safeParse(payload);
  if (data === undefined) return {};
  const convert = createConvertMarkup();
  const blocks = convertBlocks(data.blocks, convert);
  const hasBlocks = blocks.text !== "" || blocks.images.length > 0;
  return fit({
    content: hasBlocks ? blocks.text : convert(data.text ?? ""),
    username: data.username,
    avatar_url: data.icon_url,
    embeds: [
      ...blocks.images.map((url) => ({ image: { url } })),
      ...data.attachments.flatMap((attachment) => slackEmbeds(attachment, convert)),
    ],
  });
}
