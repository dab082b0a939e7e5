import type { SessionClaim } from "@parley/auth";
import type { ErrorKind } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { ChangeTurns } from "../load/change-turns.js";

/** Rights are read from the database, and changes are written by the outbox. */
export interface Stores {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
}

/** The caller and the path that a right is asked for. */
export interface Asking<Params> {
  userId: string;
  params: Params;
  /** A session that the first statement has to confirm; null when it was confirmed, or none has to be. */
  session: SessionClaim | null;
}

/**
 * A right as a route declares it: its errors, and the object by which a handler asks it (`CallerRight`, see
 * `access/asked.ts`).
 */
export interface May<Params, Right> {
  /** The right in words, for the API description. */
  readonly right: string;
  readonly errors: Partial<Record<ErrorKind, readonly string[]>>;
  ask(stores: Stores, asking: Asking<Params>): Right;
}
