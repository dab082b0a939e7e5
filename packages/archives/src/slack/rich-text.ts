import { z } from "zod";
import { convertBlocks } from "../posts/slack-blocks.js";
import { createConvertMarkup } from "../posts/slack-markup.js";
import { slackPayload } from "../posts/slack-payload.js";

const maxDepth = 8;
const element = z.looseObject({
  type: z.string(),
  text: z.unknown().optional(),
  url: z.unknown().optional(),
  name: z.unknown().optional(),
  user_id: z.unknown().optional(),
  channel_id: z.unknown().optional(),
});

/** The blocks of a bot's message that has no text, in Slack's markup; what is sent and what people write. */
export function textOfBlocks(blocks: readonly Record<string, unknown>[]): string {
  return blocks
    .map((block) => {
      if (block.type === "rich_text") return richText(block.elements, 0);
      const { data } = slackPayload.safeParse({ blocks: [block] });
      return data === undefined ? "" : convertBlocks(data.blocks, createConvertMarkup()).text;
    })
    .filter(Boolean)
    .join("\n");
}

function richText(elements: unknown, depth: number): string {
  if (!Array.isArray(elements) || depth > maxDepth) return "";
  return elements
    .map((given): string => {
      const { data } = element.safeParse(given);
      if (data === undefined) return "";
      const { type, text, url, name, user_id, channel_id } = data;
      if (type === "text" && typeof text === "string") return text;
      if (type === "link" && typeof url === "string") return `<${url}${typeof text === "string" ? `|${text}` : ""}>`;
      if (type === "emoji" && typeof name === "string") return `:${name}:`;
      if (type === "user" && typeof user_id === "string") return `<@${user_id}>`;
      if (type === "channel" && typeof channel_id === "string") return `<#${channel_id}>`;
      const inside = richText(data.elements, depth + 1);
      return type === "rich_text_section" && depth > 0 ? `${inside}\n` : inside;
    })
    .join("");
}
