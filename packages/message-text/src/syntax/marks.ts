import { InlineContext, type InlineParser, type MarkdownConfig } from "@lezer/markdown";
import { mayDelimit } from "./bounds.js";
import { characterBefore } from "./characters.js";

/** A mention's sign does not stand behind these (docs/protocol/messages.md#7.1). */
const beforeNoMention = /[\p{L}\p{Nd}_\-./@]/u;
/** Runs of the characters that names have. */
const mentionName = /[A-Za-z0-9_-]+/y;
const emojiName = /[a-z0-9_-]{1,32}(?=:(?!\/\/))/y;
const beforeChannel = /^[\s(*_~|[]?$/u;
const channelName = /[^\s@#.,;:!?()[\]<>*~|`\\]+/y;

const matchAt = (pattern: RegExp, text: string, place: number): number => {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0].length ?? 0;
};

/**
 * How many characters a possible mention has behind the sign at a place of the text; 0 for none.
 *
 * @param before whole character before the sign
 */
export const mentionLength = (text: string, place: number, before: string): number =>
  mayMentionBehind(before) ? matchAt(mentionName, text, place + 1) : 0;

/** The characters behind the sign of a mention at a place of the text: the element may have less of them. */
export const mentionRun = (text: string, place: number): string =>
  text.slice(place + 1, place + 1 + matchAt(mentionName, text, place + 1));

/** No name of a role goes on with these. */
const afterRole = /^[\p{L}\p{Nd}_-]/u;

/**
 * The role that a sign of the text mentions; undefined for none.
 *
 * @param roleNames the longest first
 */
export const roleAt = (text: string, place: number, roleNames: readonly string[]): string | undefined =>
  roleNames.find((name) => {
    const end = place + 1 + name.length;
    return text.startsWith(name, place + 1) && !afterRole.test(text.slice(end, end + 2));
  });

/** Whether a mention may begin behind this whole character. */
export const mayMentionBehind = (before: string): boolean => !beforeNoMention.test(before);

/** Whether a channel's name stands at a sign of the text. */
export const isChannelAt = (text: string, place: number, before: string): boolean =>
  beforeChannel.test(before) && matchAt(channelName, text, place + 1) > 0;

/** Whether a custom emoji's name stands at a sign of the text, with the sign that ends it. */
export const isCustomEmojiAt = (text: string, place: number): boolean => matchAt(emojiName, text, place + 1) > 0;

/** Mentions of users, and of roles with these names, the longest first. */
export const mentionsWith = (roleNames: readonly string[]): InlineParser => ({
  name: "Mention",
  before: "Escape",
  parse(context, next, from) {
    if (next !== 64) return -1;
    const place = from - context.offset;
    const before = characterBefore(context, from);
    const role = roleNames.length > 0 && mayMentionBehind(before) ? roleAt(context.text, place, roleNames) : undefined;
    if (role !== undefined) return context.addElement(context.elt("RoleMention", from, from + 1 + role.length));
    const length = mentionLength(context.text, place, before);
    if (length === 0) return -1;
    let to = from + 1 + length;
    // They end an emphasis as well.
    if (context.findOpeningDelimiter(InlineContext.emphasisUnderscore) !== null) {
      while (context.char(to - 1) === 95) to -= 1;
    }
    return context.addElement(context.elt("Mention", from, Math.max(to, from + 1)));
  },
});

const spoilerBars = { resolve: "Spoiler", mark: "SpoilerMark" };

/** Mentions, channels, custom emoji, and text between `||`. */
export const marks: MarkdownConfig = {
  defineNodes: ["Mention", "RoleMention", "Channel", "CustomEmoji", "Spoiler", "SpoilerMark"],
  parseInline: [
    mentionsWith([]),
    {
      name: "Channel",
      before: "Escape",
      parse(context, next, from) {
        if (next !== 35 || !beforeChannel.test(characterBefore(context, from))) return -1;
        const length = matchAt(channelName, context.text, from + 1 - context.offset);
        return length === 0 ? -1 : context.addElement(context.elt("Channel", from, from + 1 + length));
      },
    },
    {
      name: "CustomEmoji",
      before: "Escape",
      parse(context, next, from) {
        if (next !== 58) return -1;
        const length = matchAt(emojiName, context.text, from + 1 - context.offset);
        return length === 0 ? -1 : context.addElement(context.elt("CustomEmoji", from, from + 2 + length));
      },
    },
    {
      name: "Spoiler",
      before: "Escape",
      parse(context, next, from) {
        if (next !== 124 || context.char(from + 1) !== 124) return -1;
        let to = from + 2;
        while (context.char(to) === 124) to += 1;
        if (!mayDelimit(context)) return to;
        if (to - from < 4) return context.addDelimiter(spoilerBars, from, from + 2, true, true);
        // Neighbouring pairs hide nothing: the first pair ends an open spoiler, the last one opens one.
        context.addDelimiter(spoilerBars, from, from + 2, false, true);
        return context.addDelimiter(spoilerBars, to - 2, to, true, false);
      },
    },
  ],
};
