import { inject } from "vitest";

/** The data that the global setup hands to every test file. */
export interface RunContext {
  /** The database `postgres` of the cluster that the whole run shares, as superuser. */
  readonly postgresUrl: string;
  /** A folder that the global teardown removes. */
  readonly folder: string;
  /** The repository's root. */
  readonly root: string;
}

declare module "vitest" {
  interface ProvidedContext {
    parleyRun: RunContext;
  }
}

/** The preparations of the global setup for this run; throws outside a vitest run. */
export function runContext(): RunContext {
  return inject("parleyRun");
}
