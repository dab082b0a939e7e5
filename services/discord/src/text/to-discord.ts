import { snowflakeOf } from "../ids/snowflake.js";
import { emojiName, joinsBefore, joinsBehind, literal, type Names, opaqueOr, quiet, separator } from "./names.js";

const signs = opaqueOr("<(?:[@#]|a?:)[^>]*>|:([a-z0-9_-]{1,32}):|([@#])");
const accountName = /^[A-Za-z0-9_-]+/;

/** Writes a text's mentions of people, roles, channels and custom emoji in Discord's form (docs/discord.md#rest). */
export function toDiscordText(text: string, names: Names): string {
  if (!/[@#:]/.test(text)) return text;
  let written = "";
  let end = 0;
  const put = (from: number, to: number, token: string) => {
    let before = text.slice(end, from);
    if (before.endsWith(separator) && joinsBefore(text.slice(0, from - 1))) before = before.slice(0, -1);
    written += before + token;
    end = text[to] === separator && joinsBehind(text.slice(to + 1)) ? to + 1 : to;
  };
  for (const match of text.matchAll(signs)) {
    const { index } = match;
    const [whole, , emoji, sign] = match;
    if (index < end) continue;
    if (emoji !== undefined) {
      const known = names.emojis.get(emoji);
      if (known === undefined) continue;
      const token = `<${known.animated ? "a" : ""}:${emojiName(emoji)}:${snowflakeOf(known.id)}>`;
      put(index, index + whole.length, token);
    }
    if (sign === undefined || joinsBefore(text.slice(0, index))) continue;
    const mark = sign === "#" ? "" : ([literal, quiet].find((each) => text.startsWith(each, index + 1)) ?? "");
    const from = index + 1 + mark.length;
    const behind = text.slice(from);
    if (mark === literal || (mark === quiet && /^(?:everyone|here)/.test(behind))) {
      written += text.slice(end, index + 1);
      end = from;
      continue;
    }
    const named = sign === "#" ? channelAt(behind, names) : personOrRoleAt(behind, names);
    if (named === null) continue;
    put(index, from + named.name.length, `<${named.kind}${snowflakeOf(named.id)}>`);
  }
  return written + text.slice(end);
}

interface Named {
  readonly kind: "@" | "@&" | "#";
  readonly name: string;
  readonly id: string;
}

function channelAt(text: string, { channels }: Names): Named | null {
  const found = longestAt(text, channels);
  return found === null ? null : { kind: "#", ...found };
}

/** The longest name at the beginning; names of accounts may end before a hyphen (docs/protocol/messages.md#7.1). */
function personOrRoleAt(text: string, { users, roles }: Names): Named | null {
  const role = longestAt(text, roles);
  for (let run = accountName.exec(text)?.[0] ?? ""; run !== ""; run = run.slice(0, Math.max(0, run.lastIndexOf("-")))) {
    const id = users.get(run);
    if (id !== undefined && run.length >= (role?.name.length ?? 0)) return { kind: "@", name: run, id };
  }
  return role === null ? null : { kind: "@&", ...role };
}

function longestAt(text: string, ids: ReadonlyMap<string, string>): { name: string; id: string } | null {
  let longest: { name: string; id: string } | null = null;
  for (const [name, id] of ids) {
    const fits = name.length > (longest?.name.length ?? 0) && text.startsWith(name);
    if (fits && !joinsBehind(text.slice(name.length))) longest = { name, id };
  }
  return longest;
}
