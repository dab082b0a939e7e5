import type { ClientEventName } from "@parley/contracts";
import type { Closable } from "@parley/service-runtime";
import type { RestingRows } from "./resting-rows.js";

/** The input of a batch. */
export interface Batch {
  /** Rows that it may take: after a failure fewer than the job's `sizeMax`. */
  readonly size: number;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
  /** Rows of the job that failed by themselves. */
  readonly resting: RestingRows;
}

/** The result of a batch. */
export interface Progress {
  /** Rows that are done. */
  readonly rows: number;
  /** Whether another batch follows at once; otherwise the round has ended. */
  readonly more: boolean;
}

/** Work that every process repeats beside the requests: a domain declares it, one runner does it and counts it. */
export interface Job {
  /** In logs and metrics. */
  readonly name: string;
  /** Every event that it may cause, as an endpoint declares them (docs/protocol/events.md#23.2). */
  readonly causes: readonly ClientEventName[];
  /** The pause after each round; or SQL that has a row while there is work, which then begins soon after. */
  readonly when: { readonly everyMs: number } | { readonly due: string };
  /** Does the next rows. Doing it in several processes at once does no harm. */
  readonly batch: (batch: Batch) => Promise<Progress>;
  /** Most rows of a batch. */
  readonly sizeMax?: number;
  /** Batches at a time in a process. */
  readonly lanes?: number;
  /** Called when the process ends, beside the last batch: ends work that batches have begun. */
  readonly close?: () => Promise<unknown>;
}

/** A consumer of messages beside the requests, in every process. */
export interface Receiver extends Pick<Job, "name" | "causes"> {
  readonly start: () => Closable;
}

/** Progress of a batch that looks again until it finds no rows. */
export const untilNone = (rows: number): Progress => ({ rows, more: rows > 0 });
/** Progress of a batch that is a whole round. */
export const wholeRound = (rows = 0): Progress => ({ rows, more: false });
