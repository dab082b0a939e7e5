import { setTimeout as pause } from "node:timers/promises";
import { Semaphore } from "@parley/service-runtime";
import { LRUCache } from "lru-cache";
import { listLoadsMax, reloadPauseFactor, reloadPauseMaxMs } from "./limits.js";

/** A server's configuration, as read at a version. */
export interface Versioned<T> {
  version: number;
  value: T;
  bytes: number;
  /** False for a deleted server, because nobody requests its configuration again. */
  isKept: boolean;
}

/** An entry in the cache of this process. */
interface Entry<T> extends Versioned<T> {
  /** When the next version may be loaded, by `performance.now()`. */
  reloadAt: number;
}

/**
 * The configurations of servers, in a form that takes time to build. The check of a message contains the version that
 * the api has read from the database, so a change is effective for the next message in every process, without notices
 * between processes.
 *
 * @param options.read reads and builds a configuration together with its version
 * @returns gives a server's configuration, of this version or a later one
 */
export function createVersionedCache<T>(options: {
  serversMax: number;
  bytesMax: number;
  read: (serverId: string) => Promise<Versioned<T>>;
}): (serverId: string, version: number) => Promise<T> {
  const remembered = new LRUCache<string, Entry<T>>({
    max: options.serversMax,
    maxSize: options.bytesMax,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const loading = new Map<string, Promise<Entry<T>>>();
  const slots = new Semaphore(listLoadsMax);

  const load = async (serverId: string): Promise<Entry<T>> => {
    const waitMs = (remembered.peek(serverId)?.reloadAt ?? 0) - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const release = await slots.acquire();
    try {
      const startedAt = performance.now();
      const versioned = await options.read(serverId);
      const now = performance.now();
      const reloadAt = now + Math.min(reloadPauseMaxMs, (now - startedAt) * reloadPauseFactor);
      const entry = { ...versioned, reloadAt };
      if (entry.isKept) remembered.set(serverId, entry);
      return entry;
    } finally {
      release();
    }
  };
  const loadOnce = (serverId: string) => {
    const running = loading.get(serverId) ?? load(serverId).finally(() => loading.delete(serverId));
    loading.set(serverId, running);
    return running;
  };

  return async (serverId, version) => {
    const entry = remembered.get(serverId);
    if (entry !== undefined && entry.version >= version) return entry.value;
    const loaded = await loadOnce(serverId);
    // The load may have begun before the change; one that begins now has it.
    return (loaded.version >= version ? loaded : await loadOnce(serverId)).value;
  };
}
