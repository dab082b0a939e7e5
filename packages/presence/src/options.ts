import type { Database } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { RedisConnection } from "@parley/redis";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import {
  graceCheckIntervalMs,
  leaseMs,
  maintainIntervalMs,
  renewIntervalMs,
  resumeGraceMs,
  transitionGraceMs,
} from "./limits.js";

/** The needs of presence from its process. */
export interface PresenceOptions {
  redis: RedisConnection;
  database: Pick<Database, "query">;
  messaging: Messaging;
  voice: Pick<Voice, "endAllOfUser" | "republish">;
  logger: MinimalLogger;
}

/**
 * Times in milliseconds; the defaults let a dead process' users become offline within 30 seconds
 * (docs/protocol/connecting.md#14.1).
 */
export interface PresenceTimes {
  leaseMs: number;
  renewIntervalMs: number;
  maintainIntervalMs: number;
  graceCheckIntervalMs: number;
  transitionGraceMs: number;
  /** 0: no grace. */
  resumeGraceMs: number;
}

export const defaultTimes: PresenceTimes = {
  leaseMs,
  renewIntervalMs,
  maintainIntervalMs,
  graceCheckIntervalMs,
  transitionGraceMs,
  resumeGraceMs,
};

/** The needs of presence from a gateway process. */
export interface GatewayPresenceOptions extends PresenceOptions {
  nodeId: string;
  /** Those that differ from the defaults. */
  times?: Partial<PresenceTimes>;
}
