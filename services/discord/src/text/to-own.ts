import { joinsBefore, joinsBehind, literal, opaqueOr, quiet, separator } from "./names.js";

/** The snowflakes that a bot's text contains. */
export interface NamedIds {
  readonly users: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  readonly emojis: ReadonlySet<string>;
}

/** Names by snowflakes; of emoji their own name, which may have a hyphen. */
export type NamesById = Readonly<Record<keyof NamedIds, ReadonlyMap<string, string>>>;

const tokens = opaqueOr(
  "<(@!?|@&|#)(\\d{1,20})>|<a?:(\\w{2,32}):(\\d{1,20})>|<t:(-?\\d{1,13})(?::[tTdDfFR])?>|(@)(?=\\S)",
);

/** The ids in a bot's texts, to be looked up. */
export function namedIds(texts: readonly string[]): NamedIds {
  const ids = {
    users: new Set<string>(),
    roles: new Set<string>(),
    channels: new Set<string>(),
    emojis: new Set<string>(),
  };
  for (const text of texts) {
    for (const [, , sign, id = "", , emojiId] of text.matchAll(tokens)) {
      if (emojiId !== undefined) ids.emojis.add(emojiId);
      if (sign === "#") ids.channels.add(id);
      else if (sign === "@&") ids.roles.add(id);
      else if (sign !== undefined) ids.users.add(id);
    }
  }
  return ids;
}

/** Whom a bot's message may mention (docs/discord.md#rest); everybody it names, unless it says otherwise. */
export interface AllowedMentions {
  readonly everyone: boolean;
  /** Snowflakes; null for all. */
  readonly users: ReadonlySet<string> | null;
  readonly roles: ReadonlySet<string> | null;
}
export const allMentions: AllowedMentions = { everyone: true, users: null, roles: null };

const everybody = /^(?:everyone|here)(?![A-Za-z0-9_-])/;

/**
 * Writes a bot's text as it is stored; a mention of an unknown id stays as it is (docs/discord.md#rest). What notifies
 * nobody there has a separator behind its sign.
 */
export function toOwnText(text: string, names: NamesById, allowed: AllowedMentions = allMentions): string {
  let written = "";
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [whole, , sign, id = "", emojiName, emojiId, seconds, at] = match;
    if (at !== undefined) {
      written += text.slice(end, match.index);
      end = match.index + 1;
      const isEverybody = everybody.test(text.slice(end));
      const mark = joinsBefore(written) || (isEverybody && allowed.everyone) ? "" : isEverybody ? quiet : literal;
      written += at + mark;
      continue;
    }
    const token = () => {
      if (seconds !== undefined) return timeText(Number(seconds));
      if (emojiId !== undefined) return `:${names.emojis.get(emojiId) ?? emojiName}:`;
      if (sign === undefined) return undefined;
      const kind = sign === "#" ? "channels" : sign === "@&" ? "roles" : "users";
      const name = names[kind].get(id);
      const isQuiet = kind !== "channels" && allowed[kind]?.has(id) === false;
      return name === undefined ? undefined : `${sign === "#" ? "#" : "@"}${isQuiet ? quiet : ""}${name}`;
    };
    const own = token();
    if (own === undefined) continue;
    written += text.slice(end, match.index);
    const isName = sign !== undefined;
    if (isName && joinsBefore(written)) written += separator;
    written += own;
    end = match.index + whole.length;
    const behind = text.slice(end);
    if (isName && joinsBehind(behind)) written += separator;
  }
  return written + text.slice(end);
}

/** A time as text, with its seconds. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1_000);
  if (Number.isNaN(time.getTime())) return String(seconds);
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
