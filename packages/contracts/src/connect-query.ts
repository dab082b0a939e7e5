import { z } from "zod";
import { errorTexts } from "./error-texts.js";
import { clientEventNames, events, findEvent, isEventName } from "./events.js";
import { cursor, presenceModes, viewedChannelsMax } from "./gateway.js";
import { isUuid } from "./resources/identifiers.js";

/** The gateway sends these to every connection with `view`; a list may name them, and has no need to. */
const viewAnswers: readonly string[] = ["VIEW_ACK", "CHANNEL_ACTIVITY"];

/** Shards that a user's connections may be divided into. */
const shardsMax = 1_024;

/** The query of the upgrade request (docs/protocol/connecting.md#14.1); of several errors the first in this order is answered. */
export const ConnectQuery = z.object({
  token: z
    .string()
    .optional()
    .meta({ description: "Access token of a user, or a bot's JWT; it decides over `bot_token`" }),
  bot_token: z.string().optional().meta({ description: "Static token of a bot" }),
  s: z
    .union([z.literal(""), cursor])
    .optional()
    .meta({ description: "Empty: number the connection. A position: continue from it", examples: [""] }),
  v: z.string().transform(parseVersion).optional().meta({
    description: "`2`: with the whole stream of changes; `1` or absent: without",
    example: "2",
  }),
  presence: z
    .enum(presenceModes, errorTexts.presence_mode_invalid)
    .optional()
    .meta({ description: "`subscribed`: PRESENCE_UPDATE of named users and DM partners only; `none`: of nobody" }),
  members: z
    .enum(["all"], errorTexts.members_mode_invalid)
    .optional()
    .meta({ description: "`all`, with `v=2`: joins, changes and leaves of all members" }),
  events: z
    .string()
    .transform(parseEvents)
    .optional()
    .meta({
      description:
        `Comma list of the events that are sent; READY, RESUMED, VIEW_ACK and CHANNEL_ACTIVITY always are. Names: ${namesOf(1)}; ` +
        `with \`v=2\` also ${namesOf(2)}`,
      example: "MESSAGE_CREATE,MESSAGE_UPDATE",
    }),
  shard: z
    .string()
    .regex(/^(0|[1-9]\d{0,3})\/[1-9]\d{0,3}$/, errorTexts.shard_invalid)
    .transform(parseShard)
    .optional()
    .meta({
      description:
        `\`i/n\`, 0 ≤ i < n ≤ ${shardsMax}: only servers with CRC-32 (ISO-HDLC) of the lower-case server id modulo n = i; ` +
        "direct messages and other events of the user go to shard 0",
      example: "0/4",
    }),
  view: z
    .string()
    .transform(parseView)
    .optional()
    .meta({
      description:
        `With \`v=2\`: of large servers only what concerns the channels in view. \`on\`, or a comma list of at most ` +
        `${viewedChannelsMax} ids of channels that are in view from the beginning`,
      example: "on",
    }),
});

/**
 * The version that a connection needs to name an event in `events` (docs/protocol/connecting.md#20.4).
 *
 * @returns null for a name that no client gets, or none by its own wish
 */
export function versionToName(name: string): 1 | 2 | null {
  if (viewAnswers.includes(name)) return 2;
  if (!isEventName(name) || "internal" in events[name]) return null;
  return findEvent(name)?.version ?? 1;
}

/** @returns the names that connections of a version may name in addition, comma-separated */
function namesOf(version: 1 | 2): string {
  return [...clientEventNames, ...viewAnswers].filter((name) => versionToName(name) === version).join(", ");
}

function parseVersion(version: string, context: z.RefinementCtx): 1 | 2 {
  if (version !== "1" && version !== "2") context.addIssue(errorTexts.unknown_version(version));
  return version === "2" ? 2 : 1;
}

/** Empty elements are ignored. */
function parseEvents(list: string, context: z.RefinementCtx): ReadonlySet<string> {
  const names = list.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => versionToName(name) === null);
  if (unknown !== undefined) context.addIssue(errorTexts.unknown_event(unknown));
  else if (names.length === 0) context.addIssue(errorTexts.events_required);
  return new Set(names);
}

function parseShard(text: string, context: z.RefinementCtx): { index: number; count: number } {
  const [index = 0, count = 0] = text.split("/").map(Number);
  if (index >= count || count > shardsMax) context.addIssue(errorTexts.shard_invalid);
  return { index, count };
}

/** @returns the channels to begin with */
function parseView(text: string, context: z.RefinementCtx): readonly string[] {
  if (text === "on") return [];
  const channelIds = text.toLowerCase().split(",");
  if (channelIds.length > viewedChannelsMax || !channelIds.every(isUuid)) context.addIssue(errorTexts.view_invalid);
  return channelIds;
}
