import { isVisible } from "../../state/access/permissions.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";

/** A channel, server or conversation that can be opened. */
export interface Target {
  id: string;
  name: string;
  /** Text beside the name: the server of a channel. */
  detail: string | null;
  kind: "channel" | "voice" | "server" | "person" | "inbox";
  path: string;
  /** Number of unread messages, with a higher weight for mentions. */
  weight: number;
}

const mentionWeight = 1_000;
const targetsMax = 12;

/** Everything that can be opened: channels, servers, direct messages and the inbox. */
export function targetsOf(state: AppState): Target[] {
  const serverNames = new Map(state.servers.map(({ id, name }) => [id, name]));
  const weight = (id: string) => (state.unread[id] ?? 0) + (state.mentions[id] ?? 0) * mentionWeight;
  const shown = Object.values(state.channels).filter((channel) => isVisible(state, channel));
  return [
    ...shown.map(
      (channel): Target => ({
        id: channel.id,
        name: channel.name,
        detail: serverNames.get(channel.server_id) ?? null,
        kind: channel.type === "voice" ? "voice" : "channel",
        path: `/servers/${channel.server_id}/channels/${channel.id}`,
        weight: weight(channel.id),
      }),
    ),
    ...state.dmChannels.map(
      (channel): Target => ({
        id: channel.id,
        name: directTitle(channel),
        detail: null,
        kind: "person",
        path: `/dm/${channel.id}`,
        weight: weight(channel.id),
      }),
    ),
    ...state.servers.map(
      (server): Target => ({
        id: server.id,
        name: server.name,
        detail: null,
        kind: "server",
        path: `/servers/${server.id}`,
        weight: 0,
      }),
    ),
    { id: "inbox", name: texts.inbox.title, detail: null, kind: "inbox", path: "/inbox", weight: 0 },
  ];
}

/**
 * The targets that match the typed text, in this order: the name begins with the text, a word of the name does, the
 * name contains the text, the name contains its letters in order. Equal matches are ordered by {@link Target.weight}.
 */
export function matchTargets(targets: readonly Target[], typed: string): Target[] {
  const wanted = typed.trim().toLowerCase();
  return targets
    .map((target) => ({ target, rank: rankOf(target.name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank !== null)
    .sort(
      (a, b) =>
        Number(a.rank) - Number(b.rank) ||
        b.target.weight - a.target.weight ||
        a.target.name.localeCompare(b.target.name),
    )
    .slice(0, targetsMax)
    .map(({ target }) => target);
}

function rankOf(name: string, wanted: string): number | null {
  if (name.startsWith(wanted)) return 0;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 1;
  if (name.includes(wanted)) return 2;
  return hasInOrder(name, wanted) ? 3 : null;
}

function hasInOrder(name: string, wanted: string): boolean {
  let index = 0;
  for (const letter of wanted) {
    index = name.indexOf(letter, index) + 1;
    if (index === 0) return false;
  }
  return true;
}
