import { cleanText } from "../clean-text.js";
import type { FormText, TextPart } from "../form-parts.js";
import { lineEscaper } from "../line-marks.js";
import { closedQuote, literally, outsideCode, replaced } from "../text-parts.js";
import { shownTime } from "../times.js";
import type { DiscordMessage, DiscordUser } from "./schema.js";

/** What the whole archive says about the names in texts. */
export interface DiscordNames {
  /** Whether there is a person of this id. */
  isPerson(id: string): boolean;
  isChannel(id: string): boolean;
  /** The channel of this name, of the same category first. */
  channelNamed(name: string): string | undefined;
  /** Matches the `#` and the name of a channel; null where there is none. */
  channelPattern: RegExp | null;
  /** Of threads and roles. */
  threadName(id: string): string | undefined;
  roleName(id: string): string | undefined;
  /** The id of an own emoji that has a picture. */
  hasPicture(emojiId: string): boolean;
}

const raw =
  /<(?:(?<person>@!?)|(?<role>@&)|(?<channel>#))(?<id>\d{1,20})>|<a?:(?<emoji>\w{1,64}):(?<emojiId>\d{1,20})>|<t:(?<time>-?\d{1,13})(?::\w)?>|(?<![\p{L}\p{N}_.@/-])@(?<everyone>everyone|here)(?![\p{L}\p{N}_])/gu;
const openQuote = /^>>> /gm;

/** Discord has three headings, no lines across, and lists of two signs and of points. */
const escapedText = lineEscaper({ headings: "#{4,6}", bullets: "\\+", points: "\\)" });
const escaped: Convert = (words) => [escapedText(words)];

/** The Markdown of Discord, with its names as the exporter writes them by default, or raw (`--markdown false`). */
export function discordText(
  content: string,
  message: Pick<DiscordMessage, "mentions" | "inlineEmojis">,
  names: DiscordNames,
): FormText {
  const text = closedQuote(cleanText(content), openQuote, "> ");
  const people = new Map((message.mentions ?? []).map((user) => [shownName(user), user.id]));
  const emojis = new Map(
    (message.inlineEmojis ?? [])
      .flatMap(({ id, name }) => (id ? [[name, id] as const] : []))
      .filter(([, id]) => names.hasPicture(id)),
  );
  return outsideCode(text, (plain) =>
    [
      escaped,
      rawNames(names),
      shown("@", people, (person) => ({ person })),
      shownEmoji(emojis),
      shownChannels(names),
    ].reduce<readonly TextPart[]>(
      (parts, convert) => parts.flatMap((part) => (typeof part === "string" ? convert(part) : [part])),
      [plain],
    ),
  );
}

/** The name that the exporter writes behind `@`. */
export const shownName = ({ nickname, name }: DiscordUser): string => nickname || name;

/** Names of one pattern, and the length of each: Discord has 500 channels a server, and names of 100 characters. */
const maxNames = 2_000;
const maxNameLength = 100;

/** What the exporter writes behind a channel with voice, and a name that goes on. */
const channelEnd = "(?: \\[voice\\])?(?!-?[\\p{L}\\p{N}_])";

export const channelPattern = (names: Iterable<string>): RegExp | null => namePattern("#", names, channelEnd);

/** Matches a sign and one of these names, the longest that fits; null for no name. */
function namePattern(sign: string, names: Iterable<string>, end = "(?![\\p{L}\\p{N}_])"): RegExp | null {
  const longestFirst = [...names]
    .filter(({ length }) => length > 0 && length <= maxNameLength)
    .slice(0, maxNames)
    .sort((a, b) => b.length - a.length)
    .map(literally);
  return longestFirst.length === 0 ? null : new RegExp(`${sign}(${longestFirst.join("|")})${end}`, "gu");
}

type Convert = (words: string) => readonly TextPart[];

function rawNames(names: DiscordNames): Convert {
  return (words) =>
    replaced(words, raw, ({ groups = {} }) => {
      const { person, role, channel, id = "", emoji, emojiId = "", time, everyone } = groups;
      if (everyone !== undefined) return { everyone: everyone as "everyone" | "here" };
      if (time !== undefined) return timeText(Number(time));
      if (emoji !== undefined) return names.hasPicture(emojiId) ? { emoji: emojiId } : `:${emoji}:`;
      if (person !== undefined) return names.isPerson(id) ? { person: id } : null;
      if (role !== undefined) return textOf("@", names.roleName(id));
      if (channel !== undefined && names.isChannel(id)) return { channel: id };
      return textOf("#", names.threadName(id));
    });
}

const textOf = (sign: string, name: string | undefined): string | null => (name === undefined ? null : sign + name);

/** A time as text, in UTC. */
function timeText(seconds: number): string | null {
  const at = seconds * 1000;
  return Number.isNaN(new Date(at).getTime()) ? null : shownTime(at);
}

function shown(sign: string, ids: ReadonlyMap<string, string>, part: (id: string) => TextPart): Convert {
  const pattern = ids.size === 0 ? null : namePattern(sign, ids.keys());
  if (pattern === null) return (words) => [words];
  return (words) =>
    words.includes(sign) ? replaced(words, pattern, ([, name = ""]) => part(ids.get(name) ?? "")) : [words];
}

function shownEmoji(ids: ReadonlyMap<string, string>): Convert {
  if (ids.size === 0) return (words) => [words];
  return (words) =>
    replaced(words, /:(\w{1,64}):/g, ([, name = ""]) => {
      const id = ids.get(name);
      return id === undefined ? null : { emoji: id };
    });
}

function shownChannels({ channelPattern, channelNamed }: DiscordNames): Convert {
  if (channelPattern === null) return (words) => [words];
  return (words) =>
    words.includes("#")
      ? replaced(words, channelPattern, ([, name = ""]) => {
          const channel = channelNamed(name);
          return channel === undefined ? null : { channel };
        })
      : [words];
}
