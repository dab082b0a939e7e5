/** The objects that names in the texts of a server mean; ids are UUIDs. */
export interface Names {
  /** By the names of accounts. */
  readonly users: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
  readonly emojis: ReadonlyMap<string, { readonly id: string; readonly animated: boolean }>;
}

/** Name of a custom emoji as Discord has it, without hyphens (docs/discord.md#rules). */
export const emojiName = (name: string): string => name.replaceAll("-", "_");

const none: ReadonlyMap<string, never> = new Map<string, never>();
/** The names in direct messages. */
export const noNames: Names = { users: none, roles: none, channels: none, emojis: none };

/** Parts of a text in which neither Discord nor Parley reads mentions: code and addresses. */
const opaque = "```[\\s\\S]*?```|``[\\s\\S]+?``|`[^`]*`|https?:\\/\\/[^\\s<>]+";
export const opaqueOr = (others: string): RegExp => new RegExp(`(${opaque})|${others}`, "gu");

/** Separates a name from the characters beside it, where it would not be read otherwise; nobody sees it. */
export const separator = "\u200b";
/** Behind the sign of a mention in Discord's form that may not notify. */
export const quiet = separator;
/** Behind a sign that is no mention in Discord's form, but would be one here. */
export const literal = separator + separator;
const beforeNoName = /[\p{L}\p{Nd}_\-./@]$/u;
const behindNoEnd = /^[\p{L}\p{Nd}_-]/u;

/** Whether a name behind this text needs the separator to be read. */
export const joinsBefore = (text: string): boolean => beforeNoName.test(text.slice(-2));
/** Whether a name before this text needs it. */
export const joinsBehind = (text: string): boolean => behindNoEnd.test(text.slice(0, 2));
