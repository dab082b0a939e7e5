import type { Database } from "@parley/database";
import { createVoiceCleanup } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import { createVoice } from "@parley/voice";
import { createArrivals } from "./arrivals.js";
import { createEnforce, type Enforce } from "./enforce.js";
import { createJudge, type Judge } from "./judge.js";
import { createJudgeStored, type JudgeStored } from "./judge-stored.js";
import { createJudgedMarks, type JudgedMarks } from "./judged-marks.js";
import type { AutomodMetrics } from "./metrics.js";
import { createRecentMessages } from "./recent-messages.js";
import { createSendings } from "./sendings.js";
import { createWordLists } from "./word-lists.js";

/** The rules with their sources, and the functions that take their actions, for one process. */
export interface Judging {
  judge: Judge;
  enforce: Enforce;
  marks: JudgedMarks;
  judgeStored: JudgeStored;
}

export function createJudging(parts: {
  database: Database;
  redis: RedisConnection;
  outbox: Outbox;
  metrics: AutomodMetrics;
  logger: Pick<Logger, "info" | "warn" | "error">;
}): Judging {
  const { database, redis, outbox, metrics, logger } = parts;
  const judge = createJudge({
    words: createWordLists({ database }),
    recent: createRecentMessages({ database }),
    sendings: createSendings({ redis }),
    arrivals: createArrivals({ redis }),
  });
  const withVoiceCleanup = createVoiceCleanup({ voice: createVoice({ redis, outbox }), logger });
  const enforce = createEnforce({ database, outbox, withVoiceCleanup });
  const marks = createJudgedMarks({ redis });
  return { judge, enforce, marks, judgeStored: createJudgeStored({ judge, enforce, marks, metrics }) };
}
