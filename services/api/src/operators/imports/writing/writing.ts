import type { Archive } from "@parley/archives";
import { visibleName } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Importer } from "../core/importer.js";
import { type Held, type ImportRow, renewLease } from "../core/repository.js";
import type { ImportOptions } from "../core/schema.js";
import type { SkippedThings } from "../reading/skipped.js";
import type { KnownPerson } from "./people-repository.js";
import type { ItemPlace } from "./repository.js";

/** The import that is written. */
export interface Writing extends ItemPlace {
  importer: Importer;
  archive: Archive;
  row: ImportRow;
  options: ImportOptions;
  held: Held;
  signal: AbortSignal;
  /** What this process could not make before the messages. */
  skipped: SkippedThings;
  /** What of the messages had no place, since the import began. */
  left: SkippedThings;
}

/** The servers of an import by their external ids, and whether the import has made them. */
export type Servers = ReadonlyMap<string, { id: string; isNew: boolean }>;

/** A channel that messages are written to. */
export interface MadeChannel {
  external: string;
  id: string;
  name: string;
  serverId: string;
  /** Its members have been sent CHANNEL_CREATE. */
  isComplete: boolean;
}

/** What messages are written with. */
export interface Structure {
  channels: MadeChannel[];
  channelNames: Map<string, string>;
  people: Map<string, KnownPerson>;
  /** The same people by the accounts that have their messages. */
  accounts: Map<string, KnownPerson>;
  emoji: Map<string, { id: string; name: string }>;
  roles: Map<string, { id: string; serverId: string }>;
}

/** Runs a step of the import in a transaction, which fails when another process has the lease. */
export async function step<Result>(
  { importer, held, signal }: Writing,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  return importer.database.transaction(async (transaction) => {
    await renewLease(transaction, held);
    return work(transaction);
  });
}

/** A time of an archive, none before 1970 or to come. */
export const pastTime = (at: number): Date => new Date(Math.min(Math.max(at, 0), Date.now()));

export const nameMax = 100;

/** A name as it may be here, or the other one where nothing is left of it. */
export const nameOr = (given: string, fallback: string) =>
  [...visibleName(given)].slice(0, nameMax).join("").trim() || fallback;

/** The first letters of a text. */
export const cut = (text: string, max: number) => [...text].slice(0, max).join("");
