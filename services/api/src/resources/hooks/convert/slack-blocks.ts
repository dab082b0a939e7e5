import { addressOf } from "./posted-message.js";
import { convertMarkup } from "./slack-markup.js";
import type { SlackBlock, SlackElement } from "./slack-payload.js";

/** Blocks as text, and the pictures among them. */
export interface ConvertedBlocks {
  text: string;
  images: string[];
}

const textOf = (value: SlackBlock["text"]): string => {
  if (value === undefined) return "";
  return value.type === "plain_text" ? value.text : convertMarkup(value.text);
};

/** A button with an address as a link; others would do nothing here. */
export function linkOf({ text, url }: SlackElement): string[] {
  const address = addressOf(url);
  const label = textOf(text);
  return address === undefined || label === "" ? [] : [`[${label}](${address})`];
}

const elementText = (element: SlackElement): string => (element.type === "image" ? "" : textOf(element.text));

function linesOf({ type, text, fields, accessory, elements, title }: SlackBlock): string[] {
  switch (type) {
    case "section":
      return [
        textOf(text),
        ...fields.map((field) => textOf(field)),
        ...(accessory === undefined ? [] : linkOf(accessory)),
      ];
    case "header":
      return [`**${textOf(text)}**`];
    case "context":
      return [elements.map(elementText).filter(Boolean).join(" ")];
    case "actions":
      return [elements.flatMap(linkOf).join(" · ")];
    case "divider":
      return ["———"];
    case "image":
      return [textOf(title)];
    default:
      return [];
  }
}

function imagesOf({ type, image_url, accessory, elements }: SlackBlock): string[] {
  const found = [
    type === "image" ? image_url : undefined,
    type === "section" ? accessory?.image_url : undefined,
    ...(type === "context" ? elements.map((element) => element.image_url) : []),
  ];
  return found.flatMap((url) => addressOf(url) ?? []);
}

/** Section, header, context, divider, image, and actions with addresses; other blocks are left out. */
export function convertBlocks(blocks: readonly SlackBlock[]): ConvertedBlocks {
  return {
    text: blocks.flatMap(linesOf).filter(Boolean).join("\n"),
    images: blocks.flatMap(imagesOf),
  };
}
