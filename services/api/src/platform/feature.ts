import { type AccessTokens, createFileUrls, type NetworkBans } from "@parley/auth";
import type { Database, Transaction } from "@parley/database/prisma";
import type { NameResolver } from "@parley/egress";
import type { Messaging } from "@parley/messaging";
import type { Outbox } from "@parley/outbox";
import type { PresenceStatuses } from "@parley/presence";
import type { RedisConnection } from "@parley/redis";
import type { Logger, Metrics } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import type { Config } from "../config.js";
import { createReservations } from "./files/quotas/reservations.js";
import { createDeleteFiles } from "./files/storage/delete-files.js";
import type { FileStorage } from "./files/storage/storage.js";
import type { Route } from "./http/route.js";
import type { Expiry } from "./jobs/expiry-repository.js";
import type { Job, Receiver } from "./jobs/job.js";
import { createChangeTurns } from "./load/change-turns.js";
import type { Mailer } from "./mail/send-mail.js";

/** A domain of the API, as the process runs it; `feature.ts` of its folder makes it. Making it starts nothing. */
export interface Feature {
  readonly routes: readonly Route[];
  readonly jobs?: readonly (Job | Receiver)[];
  /** Expiries of rows of its tables. */
  readonly expiries?: readonly Expiry[];
}

/** The connections and settings of the process. */
export interface Parts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  database: Database;
  redis: RedisConnection;
  messaging: Messaging;
  outbox: Outbox<Transaction>;
  storage: FileStorage;
  accessTokens: AccessTokens;
  voice: Voice;
  presence: PresenceStatuses;
  /** Looks up names that users chose. */
  names: NameResolver;
  mailer: Mailer | null;
  networkBans: NetworkBans;
}

/** The parts that every domain may use. */
export type Base = ReturnType<typeof createBase>;

export function createBase(parts: Parts) {
  const { config, storage, logger, database } = parts;
  return {
    ...parts,
    urls: createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET }),
    deleteFiles: createDeleteFiles({ storage, logger }),
    reservations: createReservations({ database, logger }),
    turns: createChangeTurns(),
  };
}
