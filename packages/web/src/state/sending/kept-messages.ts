import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { PendingMessage } from "../store/app-state.js";

/** Messages of one account that are kept at a time. */
export const keptMessagesMax = 200;
/** Bytes of their texts and files: a message with as many of the largest files as one may have is kept whole. */
export const keptBytesMax = 536_870_912;
/** Age in milliseconds after which a message is removed, counted from when it was written. */
export const keptMsMax = 7 * 86_400_000;

/** A message as it is kept. */
export interface KeptMessage extends PendingMessage {
  /** Account that wrote it. */
  userId: string;
  bytes: number;
}

interface Schema extends DBSchema {
  unsent: { key: string; value: KeptMessage; indexes: { "by-user": string } };
}

/** Keeps messages that are not sent yet, with their files, in IndexedDB: over a reload, and over a crash of the page. */
export interface KeptMessages {
  /** Keeps a message. @returns false when there is no room, or the browser keeps nothing */
  add(userId: string, message: PendingMessage): Promise<boolean>;
  /** The messages of an account, oldest first. Removes those of all accounts that are too old. */
  list(userId: string): Promise<KeptMessage[]>;
  /** A message, undefined when it was removed. Rejects when the store cannot be read: the message may be there. */
  read(nonce: string): Promise<KeptMessage | undefined>;
  /** Replaces a message, unless it was removed. */
  replace(message: PendingMessage): Promise<void>;
  remove(nonce: string): Promise<void>;
  /** Removes all messages of an account. */
  removeAll(userId: string): Promise<void>;
}

/** Whether there is room for another message. */
export function hasRoom(kept: readonly { bytes: number }[], bytes: number): boolean {
  const sum = kept.reduce((before, message) => before + message.bytes, bytes);
  return kept.length < keptMessagesMax && sum <= keptBytesMax;
}

/** Size of a message, in bytes. */
export const bytesOf = ({ content, files }: Pick<PendingMessage, "content" | "files">): number =>
  files.reduce((sum, { size }) => sum + size, new TextEncoder().encode(content).length);

/** Opens the store when it is first used. A browser that keeps nothing behaves as an empty one without room. */
export function createKeptMessages(): KeptMessages {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () => {
    opened ??= openDB<Schema>("parley", 1, {
      upgrade(database) {
        database.createObjectStore("unsent", { keyPath: "nonce" }).createIndex("by-user", "userId");
      },
      // A page of a newer version waits for this.
      blocking: () => void close(),
      terminated: () => void close(),
    });
    return opened;
  };
  const close = async () => {
    const closed = opened;
    opened = null;
    (await closed)?.close();
  };
  /** Runs an action, with another answer where the browser keeps nothing: its storage may be full, broken or denied. */
  const attempt = async <Answer>(action: (database: IDBPDatabase<Schema>) => Promise<Answer>, otherwise: Answer) => {
    try {
      return await action(await open());
    } catch {
      return otherwise;
    }
  };

  return {
    add: (userId, message) =>
      attempt(async (database) => {
        const bytes = bytesOf(message);
        const { store, done } = database.transaction("unsent", "readwrite");
        const isRoom = hasRoom(await store.index("by-user").getAll(userId), bytes);
        if (isRoom) await store.put({ ...message, userId, bytes });
        await done;
        return isRoom;
      }, false),
    list: (userId) =>
      attempt(async (database) => {
        const { store, done } = database.transaction("unsent", "readwrite");
        const oldest = new Date(Date.now() - keptMsMax).toISOString();
        for (const { nonce, createdAt } of await store.getAll()) if (createdAt < oldest) await store.delete(nonce);
        const messages = await store.index("by-user").getAll(userId);
        await done;
        return messages.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
      }, []),
    read: async (nonce) => (await open()).get("unsent", nonce),
    replace: (message) =>
      attempt(async (database) => {
        const { store, done } = database.transaction("unsent", "readwrite");
        const before = await store.get(message.nonce);
        if (before !== undefined) await store.put({ ...before, ...message });
        await done;
      }, undefined),
    remove: (nonce) => attempt((database) => database.delete("unsent", nonce), undefined),
    removeAll: (userId) =>
      attempt(async (database) => {
        const { store, done } = database.transaction("unsent", "readwrite");
        for (const nonce of await store.index("by-user").getAllKeys(userId)) await store.delete(nonce);
        await done;
      }, undefined),
  };
}
