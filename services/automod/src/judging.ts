import type { AutomodCheck, AutomodJudgedBy, AutomodSettled, AutomodStored, AutomodVerdict } from "@parley/contracts";
import type { Database } from "@parley/database";
import { createVoiceCleanup } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { createBatcher, type Logger, within } from "@parley/service-runtime";
import { createVoice } from "@parley/voice";
import { createEnforce } from "./enforce.js";
import { createInFlight } from "./in-flight.js";
import { createJudge, type Match } from "./judge.js";
import { actionWaitShare, judgedExpirySeconds, lookupBatchMax, scriptsInFlightMax } from "./limits.js";
import type { AutomodMetrics } from "./metrics.js";
import { createRecentMessages } from "./recent-messages.js";
import { createSequence, sentAtMs } from "./sequence.js";
import { createEnforceRules } from "./server-rules/enforce-rules.js";
import { createJudgeRules } from "./server-rules/judge-rules.js";
import { createPatternSearch } from "./server-rules/pattern-search.js";
import { createRepetition } from "./server-rules/repetition.js";
import { createRuleSets } from "./server-rules/rule-sets.js";
import { createServerRules } from "./server-rules/server-rules.js";
import { readTicket, writeTicket } from "./server-rules/ticket.js";
import { SlicedBuilds } from "./sliced-builds.js";
import { createWordLists } from "./word-lists.js";

const judgedKey = (judgementId: string) => `automod:judged:${judgementId}`;

const markScript = defineScript({
  name: "automod-mark",
  keyCount: 0,
  lua: readLua(new URL("../lua/", import.meta.url), "mark"),
  reply: () => undefined,
});

/** Judges messages and takes the actions of the rules that match, for one process. */
export type Judging = ReturnType<typeof createJudging>;

export function createJudging(parts: {
  database: Database;
  redis: RedisConnection;
  outbox: Outbox;
  metrics: AutomodMetrics;
  logger: Pick<Logger, "info" | "warn" | "error">;
  waits?: Parameters<typeof createJudge>[0]["waits"];
}) {
  const { database, redis, outbox, metrics, logger, waits } = parts;
  const builds = new SlicedBuilds();
  const judge = createJudge({
    words: createWordLists({ database, builds }),
    recent: createRecentMessages({ database }),
    inFlight: createInFlight({ redis }),
    sequence: createSequence({ redis }),
    ...(waits && { waits }),
  });
  const withVoiceCleanup = createVoiceCleanup({ voice: createVoice({ redis, outbox }), logger });
  const enforce = createEnforce({ database, outbox, withVoiceCleanup });
  const repetition = createRepetition({ database, redis });
  const serverRules = createServerRules({
    judge: createJudgeRules({
      database,
      ruleSets: createRuleSets({ database, builds }),
      search: createPatternSearch({ builds }),
      repetition,
    }),
    enforce: createEnforceRules({ database, outbox, withVoiceCleanup }),
    repetition,
    metrics,
    logger,
  });

  const marking = createBatcher<string, true>({
    inFlightMax: scriptsInFlightMax,
    batchMax: lookupBatchMax,
    async work(judgementIds) {
      await redis.run(markScript, [], [judgedExpirySeconds, ...judgementIds.map(judgedKey)]);
      return judgementIds.map(() => true);
    },
  });

  const actOnRefused = async (check: AutomodCheck, match: Match) => {
    try {
      const action = await enforce(check, match, null);
      if (action !== null) metrics.acted(action);
    } catch (err) {
      // A failure to act or to log never lets the message through (docs/protocol/automod.md#11.2, rule 7).
      logger.error({ err, server_id: check.server_id, rule: match.rule }, "the action of a rule failed");
    }
  };

  /**
   * Judges a message that is stored, and acts on the verdict.
   *
   * @param writtenAtMs when the text was sent, or edited
   * @returns whether a rule matched, and so deleted the message
   */
  const judgeStored = async (stored: AutomodStored, writtenAtMs: number, moment: "after" | "late") => {
    const match = await judge.afterStoring(stored, writtenAtMs);
    metrics.judged(moment, match?.rule ?? null);
    if (match !== null) {
      const action = await enforce(stored, match, stored.message_id);
      if (action !== null) metrics.acted(action);
    }
    const isDeleted =
      match !== null ||
      (stored.rules.includes("server_rules") &&
        (await serverRules.after(stored, moment === "late" ? writtenAtMs : null)));
    // Not awaited: it is read a second later at the earliest. A lost mark only costs another judgement, without effect.
    void marking(stored.judgement_id).catch(() => undefined);
    return isDeleted;
  };

  const release = async (ticket: string, messageId: string | null) => {
    const { ticket: reserved, judgementId, repetitionKey } = readTicket(ticket);
    if (repetitionKey !== null && messageId === null) await serverRules.giveUp(repetitionKey, judgementId);
    if (reserved !== null) await judge.release(reserved, messageId);
  };

  return {
    judge,
    enforce,
    judgeStored,

    /** Answers `automod.check`: may this message be stored? */
    async check(check: AutomodCheck): Promise<AutomodVerdict> {
      const { match, rulesAfter, ticket } = await judge.beforeStoring(check);
      metrics.judged("before", match?.rule ?? null);
      // The action is awaited, so that it has been taken when the author gets the answer, but only for a part of the
      // timeout: after the timeout the api would store the message.
      if (match !== null) {
        await within(actOnRefused(check, match), check.answer_within_ms * actionWaitShare, () => undefined);
      }
      if (match !== null || !check.rules.includes("server_rules"))
        return { blocked_by: match?.rule ?? null, rules_after: rulesAfter, ticket };
      const { refusal, isLeft, repetitionKey } = await serverRules.before(check);
      if (refusal !== null) {
        if (ticket !== null) await judge.release(ticket, null);
        return { blocked_by: null, refusal, rules_after: [], ticket: null };
      }
      const rules_after: AutomodJudgedBy[] = isLeft ? [...rulesAfter, "server_rules"] : rulesAfter;
      return { blocked_by: null, rules_after, ticket: writeTicket(ticket, check.judgement_id, repetitionKey) };
    },

    /** Answers `automod.stored`: was this message deleted? */
    async stored(stored: AutomodStored) {
      const { ticket, message_id: messageId } = stored;
      if (ticket !== null) void release(ticket, messageId);
      return { deleted: await judgeStored(stored, sentAtMs(messageId), "after") };
    },

    /** Takes the notice `automod.settled`. */
    settled: ({ ticket, message_id: messageId }: AutomodSettled) => release(ticket, messageId),

    /** Answers `automod.rule-test`. */
    testRules: serverRules.test,
    judgeNames: serverRules.names,

    /** For each judgement of a stored message whether it was made; none when Redis is out of reach. */
    async findJudged(judgementIds: readonly string[]): Promise<boolean[]> {
      if (judgementIds.length === 0) return [];
      const marks = await redis.client.mget(judgementIds.map(judgedKey)).catch(() => judgementIds.map(() => null));
      return marks.map((mark) => mark !== null);
    },
  };
}
