import { randomUUID } from "node:crypto";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { z } from "zod";
import { connectionsPerUserMax } from "./limits.js";
import type { PresenceTimes } from "./options.js";

/**
 * A new id for a connection, unique over all processes. It contains the shard, as the registry limits connections per
 * shard.
 *
 * @param shard number of the shard of the user's servers; null without shards
 */
export function createConnectionId(shard: number | null): string {
  return shard === null ? randomUUID() : `${randomUUID()}#${shard}`;
}

/** A connection by which a user is present. */
export interface UserConnection {
  userId: string;
  connectionId: string;
  /** Whether its client may continue it, so that its loss leaves the user present for a while, the grace. */
  isNumbered: boolean;
}

/** A connection as a process registers it. */
export interface Registration extends UserConnection {
  /** Its score among the user's connections, oldest first; null for a new one. */
  order: string | null;
  /** The lease under which it was registered before, or may have been. */
  previousLease: string | null;
  /** Ids of the channels that it shows, separated by spaces. */
  view: string;
}

/** A registered connection. */
export interface Registered {
  order: string;
  /** Whether the user has a transition that PostgreSQL may not have yet. */
  unsaved: boolean;
  /** Connections of the user beyond the limit, which are unregistered now. */
  evicted: string[];
}

/** A user's last 0 → 1 or 1 → 0. */
export interface Transition {
  userId: string;
  version: string;
  /** Version of the last 1 → 0 that is not saved. */
  ended: string | null;
  /** Reconciles PostgreSQL with Redis; nothing changes if both agree already. */
  repair: boolean;
  /** The process that made it may have died, before or after saving it. */
  late: boolean;
  online: boolean;
}

const folder = new URL("../lua/", import.meta.url);

const Texts = z.array(z.string());

/** A script of the folder `lua`, which answers with texts. */
export const defineRegistryScript = (name: string) =>
  defineScript({
    name: `presence-${name}`,
    keyCount: 0,
    lua: readLua(folder, "prelude", name),
    reply: (raw) => Texts.parse(raw),
  });

/** The scripts of the folder `lua`; `prelude.lua` describes the keys that they use in Redis. */
const scripts = {
  renew: defineRegistryScript("renew"),
  close: defineRegistryScript("close"),
  register: defineRegistryScript("register"),
  setViews: defineRegistryScript("set-views"),
  unregister: defineRegistryScript("unregister"),
  expireLeases: defineRegistryScript("expire-leases"),
  expireGraces: defineRegistryScript("expire-graces"),
  cancelGrace: defineRegistryScript("cancel-grace"),
  verify: defineRegistryScript("verify"),
  claimOverdue: defineRegistryScript("claim-overdue"),
  transitions: defineRegistryScript("transitions"),
  markSaved: defineRegistryScript("mark-saved"),
  inspect: defineRegistryScript("inspect"),
  count: defineRegistryScript("count"),
} as const;

/** The registry of connections in Redis. Its functions reject while Redis is out of reach; the script may have run. */
export type Registry = ReturnType<typeof createRegistry>;

/** How long leases last, transitions are reserved for the process that made them, and a grace lasts. */
export type RegistryTimes = Pick<PresenceTimes, "leaseMs" | "renewIntervalMs" | "transitionGraceMs" | "resumeGraceMs">;

/** Suffix of the names of numbered connections in Redis. The process that removes the connections of a dead one reads it. */
const numberedSuffix = ":numbered";
const nameOf = ({ connectionId, isNumbered }: UserConnection) => connectionId + (isNumbered ? numberedSuffix : "");
const idOf = (name: string) => (name.endsWith(numberedSuffix) ? name.slice(0, -numberedSuffix.length) : name);

export function createRegistry(options: { redis: RedisConnection; times: RegistryTimes }) {
  const { redis, times } = options;
  const { leaseMs, renewIntervalMs, transitionGraceMs, resumeGraceMs } = times;
  const run = (script: (typeof scripts)[keyof typeof scripts], args: readonly (string | number)[]) =>
    redis.run(script, [], args);

  return {
    /** Number of connections under the lease; null when it is lost. */
    async renew(lease: string, { open }: { open: boolean }): Promise<number | null> {
      const [outcome, count] = await run(scripts.renew, [lease, leaseMs, open ? 1 : 0]);
      return outcome === "lost" ? null : Number(count);
    },

    /** Releases the lease; its connections count as those of a dead process. */
    async close(lease: string): Promise<void> {
      await run(scripts.close, [lease]);
    },

    /** Registers connections in one step; null when the lease is lost and nothing was done. */
    async register(
      lease: string,
      registrations: readonly Registration[],
      { repair }: { repair: boolean },
    ): Promise<Registered[] | null> {
      const [outcome, ...answers] = await run(scripts.register, [
        lease,
        repair ? 1 : 0,
        connectionsPerUserMax,
        transitionGraceMs,
        ...registrations.flatMap((registration) => [
          registration.userId,
          nameOf(registration),
          registration.order ?? "",
          registration.previousLease ?? "",
          registration.view,
        ]),
      ]);
      if (outcome === "lost") return null;
      return inGroups(answers, 3).map(([order = "", unsaved, evicted = ""]) => ({
        order,
        unsaved: unsaved === "1",
        evicted: evicted === "" ? [] : evicted.split(" ").map(idOf),
      }));
    },

    /** Stores the channels that connections show, for those that are registered under the lease. */
    async setViews(lease: string, connections: readonly (UserConnection & { view: string })[]): Promise<void> {
      await run(scripts.setViews, [
        lease,
        ...connections.flatMap((connection) => [connection.userId, nameOf(connection), connection.view]),
      ]);
    },

    /**
     * Removes connections; unknown ones are ignored.
     *
     * @param connections.graceMs milliseconds for which their users still count as connected
     * @returns for each connection whether its user is not connected any more
     */
    async unregister(
      connections: readonly (UserConnection & { lease: string; graceMs: number })[],
    ): Promise<boolean[]> {
      const answers = await run(scripts.unregister, [
        transitionGraceMs,
        ...connections.flatMap((connection) => [
          connection.lease,
          connection.userId,
          nameOf(connection),
          Math.max(0, Math.ceil(connection.graceMs)),
        ]),
      ]);
      return answers.map((answer) => answer === "1");
    },

    /** Removes up to `max` connections of dead processes; none unless this lease has been held long enough. */
    async expireLeases(lease: string, max: number): Promise<{ removed: number; users: string[] }> {
      // The process died at least `leaseMs - renewIntervalMs` ago: its last renewal was at most one interval earlier.
      const graceMs = Math.max(0, resumeGraceMs - (leaseMs - renewIntervalMs));
      const [removed, ...users] = await run(scripts.expireLeases, [lease, leaseMs, transitionGraceMs, max, graceMs]);
      return { removed: Number(removed), users };
    },

    /** Ends up to `max` expired graces; returns their number, and the users who are not connected any more. */
    async expireGraces(lease: string, max: number): Promise<{ ended: number; users: string[] }> {
      const [ended, ...users] = await run(scripts.expireGraces, [
        lease,
        leaseMs,
        transitionGraceMs,
        max,
        resumeGraceMs,
      ]);
      return { ended: Number(ended), users };
    },

    /**
     * Ends the user's grace; connections that are lost after this call have none.
     *
     * @returns whether the user is thereby not connected any more
     */
    async cancelGrace(userId: string): Promise<boolean> {
      const ended = await run(scripts.cancelGrace, [userId, transitionGraceMs, leaseMs + resumeGraceMs]);
      return ended.length > 0;
    },

    /** The users who are connected according to the database only. */
    verify: (lease: string, userIds: readonly string[]): Promise<string[]> =>
      run(scripts.verify, [lease, leaseMs, transitionGraceMs, ...userIds]),

    /** Users whose transition is overdue; they are claimed for the grace. */
    claimOverdue: (max: number): Promise<string[]> => run(scripts.claimOverdue, [transitionGraceMs, max]),

    /** The transitions that are to be saved, of these users. */
    async transitions(userIds: readonly string[]): Promise<Transition[]> {
      const answers = inGroups(await run(scripts.transitions, userIds), 5);
      return userIds.flatMap((userId, index) => {
        const [version = "", ended = "", repair, late, online] = answers[index] ?? [];
        if (version === "") return [];
        const flags = { repair: repair === "1", late: late === "1", online: online === "1" };
        return [{ userId, version, ended: ended === "" ? null : ended, ...flags }];
      });
    },

    /** Removes transitions that PostgreSQL has; returns the users with another one. */
    markSaved: (saved: readonly { userId: string; version: string; stored: string }[]): Promise<string[]> =>
      run(scripts.markSaved, [
        transitionGraceMs,
        ...saved.flatMap(({ userId, version, stored }) => [userId, version, stored]),
      ]),

    /** Whether the lease (if any) is lost, and whether the user has a transition to save. */
    async inspect(lease: string | null, userId: string): Promise<{ lost: boolean; unsaved: boolean }> {
      const [outcome] = await run(scripts.inspect, [lease ?? "", userId]);
      return { lost: outcome === "lost", unsaved: outcome === "unsaved" };
    },

    /** Open connections of all running processes. */
    async count(): Promise<number> {
      const [total] = await run(scripts.count, []);
      return Number(total);
    },
  };
}

function inGroups(texts: readonly string[], size: number): string[][] {
  return Array.from({ length: texts.length / size }, (_, index) => texts.slice(index * size, (index + 1) * size));
}
