import { createHash } from "node:crypto";
import type { Dispatch } from "./dispatch.js";
import type { Guilds } from "./guilds.js";
import { isAskedFor, type Place } from "./intents.js";
import type { Lookups } from "./lookups.js";
import { Needs } from "./needs.js";
import type { Translated } from "./positions.js";
import type { Reader } from "./reader.js";
import { isInShard } from "./shard.js";
import type { Event, EventPlace, Translation } from "./translation.js";
import { translations } from "./translations.js";
import type { UpstreamFrame } from "./upstream.js";
import { mayChangeRows } from "./upstream-events.js";

/** Events of our gateway as Discord's dispatches, in the same order (docs/discord.md#gateway). */
export type Translate = (frames: readonly UpstreamFrame[], reader: Reader) => Promise<Translated<Dispatch>[]>;

interface Placed {
  readonly frame: UpstreamFrame;
  readonly event: Event;
  readonly translation: Translation<Event>;
}

/** Makes dispatches of events; reads the data that they need beside the events for all of them at once. */
export function createTranslate(options: { lookups: Lookups; guilds: Guilds }): Translate {
  const { lookups } = options;

  return async (frames, reader) => {
    if (frames.some(({ t }) => mayChangeRows(t))) reader.remembered.forget();
    const placed = await place(frames, reader);
    const needs = new Needs(reader);
    for (const { event, translation } of placed.values()) translation.needs?.(event, needs);
    const found = await needs.find(options);
    return frames.map((frame) => {
      const it = placed.get(frame);
      const made = it === undefined ? [] : it.translation.make(it.event, found, reader);
      const dispatches = made.filter(({ t }) => isAskedFor(reader.intents, t, intentPlace(it?.event.place)));
      const { t, d, s } = frame;
      return {
        key: keyOf(frame, dispatches.length),
        cursor: s,
        dispatches,
        ...(t === "INTERACTION_CREATE" && dispatches.length > 0 ? { interaction: (d as { id: string }).id } : {}),
      };
    });
  };

  /** The events that give the reader a dispatch, and the places that they belong to. */
  async function place(frames: readonly UpstreamFrame[], reader: Reader): Promise<Map<UpstreamFrame, Placed>> {
    const known = frames.filter(({ t }) => Object.hasOwn(translations, t));
    const channelIds = known.flatMap(({ d }) => {
      const { channel_id, server_id } = d as { channel_id?: string | null; server_id?: string };
      return channel_id && server_id === undefined ? [channel_id] : [];
    });
    const servers = await lookups.serversOf(channelIds);
    const placed = new Map<UpstreamFrame, Placed>();
    for (const frame of known) {
      const translation = translations[frame.t as keyof typeof translations] as Translation<Event>;
      const where = placeOf(frame, translation, servers);
      if (where === null || !isForReader(where, translation, reader)) continue;
      placed.set(frame, { frame, translation, event: { name: frame.t, d: frame.d, place: where } });
    }
    return placed;
  }
}

function placeOf(
  { d }: UpstreamFrame,
  { of }: Translation<Event>,
  servers: ReadonlyMap<string, string>,
): EventPlace | null {
  if (of === "direct" || of === "user") return { kind: of, serverId: null };
  const { id, channel_id, server_id, server } = d as Partial<Record<"id" | "server_id", string>> & {
    channel_id?: string | null;
    server?: { id: string };
  };
  const serverId = of === "server" ? id : (server_id ?? server?.id ?? servers.get(channel_id ?? ""));
  if (serverId !== undefined) return { kind: "guild", serverId };
  if (of === "voice" && channel_id === null) return { kind: "user", serverId: null };
  // Without a server: direct messages, or a channel that is gone, whose event is dropped.
  return of === "any channel" ? { kind: "direct", serverId: null } : null;
}

const intentPlace = (place: EventPlace | undefined): Place => (place?.kind === "direct" ? "direct" : "guild");

function isForReader(
  { kind, serverId }: EventPlace,
  { becomes, inAnyShard }: Translation<Event>,
  reader: Reader,
): boolean {
  if (serverId !== null && !inAnyShard && !isInShard(reader.shard, serverId)) return false;
  if (kind === "direct" && reader.shard[0] !== 0) return false;
  return becomes.some((name) => isAskedFor(reader.intents, name, intentPlace({ kind, serverId })));
}

/** Two of the same event differ in their text; only events that become several dispatches need the key. */
function keyOf({ t, text }: UpstreamFrame, dispatches: number): string {
  if (dispatches < 2) return "";
  // Without the position at its end, which differs when the event is sent again.
  const said = text.slice(0, text.lastIndexOf(',"s":'));
  return `${t} ${createHash("sha256").update(said).digest("base64url")}`;
}
