import { type FoundPage, printSearchQuery } from "@parley/contracts";
import { z } from "zod";
import { findId } from "../ids/find-id.js";
import { rangeOf } from "../ids/snowflake.js";
import { showMessages } from "../loading/messages.js";
import { unsupported } from "../rest/errors.js";
import { isSet, numberOf, readInput, withQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";
import { showing } from "./messages.js";

/** Filters of Discord's for which messages here have nothing to compare (docs/discord.md#not-yet). */
const unknownFilters = [
  ...["mentions_role_id", "mention_everyone", "replied_to_user_id", "replied_to_message_id", "embed_type"],
  ...["embed_provider", "link_hostname", "attachment_filename", "attachment_extension"],
];
const hasNames = new Map([
  ...["image", "video", "file", "embed", "link", "poll"].map((name): [string, string] => [name, name]),
  ["sound", "audio"],
]);
/** No message has one. */
const hasNever = ["sticker", "snapshot"];
const kinds = ["user", "bot", "webhook"];
const contentMax = 1_024;
const queryMax = 1_000;

const signed = (names: readonly string[]) => z.array(z.enum(names.flatMap((name) => [name, `-${name}`])));
const input = z.object({
  content: z.string().max(contentMax).optional(),
  has: signed([...hasNames.keys(), ...hasNever]),
  author_type: signed(kinds),
  sort_by: z.enum(["timestamp", "relevance"]).default("timestamp"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  max_id: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  min_id: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
});

/** Messages of a server as Discord's search finds them: the search of everything with the parameters of programs. */
async function search(call: BotCall) {
  const { api, query } = call;
  const serverId = await serverOf(call);
  const faulty = unknownFilters.find((name) => query.has(name) || query.has(`${name}[]`));
  if (faulty !== undefined) throw unsupported([faulty], faulty);
  const one = (name: string) => query.get(name) ?? undefined;
  const { content, has, author_type, sort_by, sort_order, max_id, min_id } = readInput(input, {
    ...{ content: one("content"), has: all(query, "has"), author_type: all(query, "author_type") },
    ...{ sort_by: one("sort_by"), sort_order: one("sort_order"), max_id: one("max_id"), min_id: one("min_id") },
  });
  const limit = numberOf(query, "limit", { fallback: 25, min: 1, max: 25 });
  const offset = numberOf(query, "offset", { fallback: 0, min: 0, max: 9_975 });
  numberOf(query, "slop", { fallback: 2, min: 0, max: 100 });
  const channels = all(query, "channel_id").map((channel) => call.id("channel", channel, 10003, serverId));
  const [authors, mentioned] = await Promise.all([usersOf(call, "author_id"), usersOf(call, "mentions")]);
  const allowed = kinds.filter((kind) => isAllowed(kind, author_type));
  const pinned = query.has("pinned") ? (isSet(query, "pinned") ? "is:pinned" : "-is:pinned") : undefined;
  const filters = [...has.map(ownFilter), ...(pinned === undefined ? [] : [pinned])];
  const wanted = filters.filter((filter) => !filter.startsWith("-"));
  const without = filters.flatMap((filter) => (filter.startsWith("-") ? [filter.slice(1)] : []));
  const isNothing =
    authors?.length === 0 ||
    mentioned?.length === 0 ||
    allowed.length === 0 ||
    has.some((each) => hasNever.includes(each));
  const path = withQuery("/search", {
    ...{ q: [...wanted, wordsOf(content ?? "")].join(" ").slice(0, queryMax), server: serverId, limit, offset },
    in: list(await Promise.all(channels)),
    ...{ from: list(authors ?? []), mentions: list(mentioned ?? []) },
    author_type: allowed.length === kinds.length ? undefined : list(allowed),
    without: list(without.filter((each) => !hasNever.includes(each.slice("has:".length)))),
    older_than: max_id === undefined ? undefined : rangeOf(max_id)?.from,
    newer_than: min_id === undefined ? undefined : rangeOf(min_id)?.to,
    sort: sort_by === "relevance" ? "relevant" : sort_order === "asc" ? "old" : "new",
  });
  const { results, total } = isNothing ? { results: [], total: 0 } : await api.get<FoundPage>(path);
  const shown = await showMessages(
    showing(call),
    { kind: "channel", id: "", serverId },
    results.map(({ message }) => message),
  );
  return {
    doing_deep_historical_index: false,
    total_results: total,
    messages: shown.map((message) => [message]),
  };
}

/** The values of a list, in any of the forms in which libraries write one. */
function all(query: URLSearchParams, name: string): string[] {
  return [...query.getAll(name), ...query.getAll(`${name}[]`)].flatMap((value) => value.split(","));
}

const list = (values: readonly string[]) => (values.length === 0 ? undefined : values.join(","));

/** Ids of the accounts that a filter names, as far as there are any; null without the filter. */
async function usersOf({ database, query }: BotCall, name: string): Promise<string[] | null> {
  const snowflakes = all(query, name);
  if (snowflakes.length === 0) return null;
  const found = await Promise.all(snowflakes.map((snowflake) => findId(database, "user", snowflake)));
  return found.flatMap((id) => id ?? []);
}

/** Of several kinds one is enough, and none of those with a minus may be. */
function isAllowed(kind: string, asked: readonly string[]): boolean {
  const wanted = asked.filter((each) => !each.startsWith("-"));
  return (wanted.length === 0 || wanted.includes(kind)) && !asked.includes(`-${kind}`);
}

function ownFilter(has: string): string {
  const name = has.replace(/^-/, "");
  return `${has.startsWith("-") ? "-" : ""}has:${hasNames.get(name) ?? name}`;
}

/** Words alone: Discord knows no operators. */
function wordsOf(content: string): string {
  const words = content.replaceAll('"', " ").split(/\s+/).filter(Boolean);
  const isPlain = (word: string) => !word.startsWith("-") && !word.includes(":");
  const terms = words.map((text) => ({ text, isPhrase: !isPlain(text), isExcluded: false }));
  return printSearchQuery({ terms, filters: [] });
}

export const searchRoutes = [route("GET", "/guilds/:guild_id/messages/search", search)];
