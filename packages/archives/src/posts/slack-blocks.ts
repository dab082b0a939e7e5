import { addressOf } from "./posted-message.js";
import type { ConvertMarkup } from "./slack-markup.js";
import type { SlackBlock, SlackElement } from "./slack-payload.js";

/** Blocks as text, and the pictures among them. */
export interface ConvertedBlocks {
  text: string;
  images: string[];
}

function textOf(value: SlackBlock["text"], convert: ConvertMarkup): string {
  if (value === undefined) return "";
  return convert(value.text, value.type === "plain_text");
}

/** A button with an address as a link; others would do nothing here. */
export function linkOf({ text, url }: SlackElement, convert: ConvertMarkup): string[] {
  const address = addressOf(url);
  const label = textOf(text, convert);
  return address === undefined || label === "" ? [] : [`[${label}](${address})`];
}

function linesOf({ type, text, fields, accessory, elements, title }: SlackBlock, convert: ConvertMarkup): string[] {
  const elementText = (element: SlackElement) => (element.type === "image" ? "" : textOf(element.text, convert));
  switch (type) {
    case "section":
      return [
        textOf(text, convert),
        ...fields.map((field) => textOf(field, convert)),
        ...(accessory === undefined ? [] : linkOf(accessory, convert)),
      ];
    case "header":
      return [`**${textOf(text, convert)}**`];
    case "context":
      return [elements.map(elementText).filter(Boolean).join(" ")];
    case "actions":
      return [elements.flatMap((element) => linkOf(element, convert)).join(" · ")];
    case "divider":
      return ["———"];
    case "image":
      return [textOf(title, convert)];
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
export function convertBlocks(blocks: readonly SlackBlock[], convert: ConvertMarkup): ConvertedBlocks {
  return {
    text: blocks
      .flatMap((block) => linesOf(block, convert))
      .filter(Boolean)
      .join("\n"),
    images: blocks.flatMap(imagesOf),
  };
}
