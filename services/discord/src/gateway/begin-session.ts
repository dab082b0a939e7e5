import { randomBytes, randomUUID } from "node:crypto";
import type { OwnPresence } from "./presence.js";
import { Session } from "./session.js";
import type { Identity, SessionClient, SessionSurroundings } from "./session-parts.js";

/** Begins a session. */
export async function beginSession(
  surroundings: SessionSurroundings,
  client: SessionClient,
  { identity, ...others }: { identity: Identity; presence: OwnPresence | null; version: number },
): Promise<Session> {
  const [id, owner] = [randomBytes(16).toString("hex"), randomUUID()];
  const { bot, intents, largeThreshold, shard, events } = identity;
  await surroundings.store.begin(id, owner, { userId: bot.userId, intents, largeThreshold, shard, events });
  return new Session(surroundings, client, identity, { id, owner, sequence: 0, continued: null, ...others });
}

/** Continues a session behind the last dispatch that the client has; null when it cannot be, `ahead` when it has none of that number. */
export async function continueSession(
  surroundings: SessionSurroundings,
  client: SessionClient,
  { id, sequence, ...caller }: Pick<Identity, "bot" | "origin" | "forwardedFor"> & { id: string; sequence: number },
): Promise<Session | "ahead" | null> {
  const owner = randomUUID();
  const continued = await surroundings.store.continue(id, { owner, userId: caller.bot.userId, sequence });
  if (continued === null || continued === "ahead") return continued;
  const { intents, largeThreshold, shard, events } = continued;
  const identity = { ...caller, intents, largeThreshold, shard, events };
  return new Session(surroundings, client, identity, { id, owner, sequence, continued, presence: null });
}
