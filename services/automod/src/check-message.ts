import type { AutomodCheck, AutomodVerdict } from "@parley/contracts";
import { type Logger, within } from "@parley/service-runtime";
import type { Enforce } from "./enforce.js";
import type { Judge, Match } from "./judge.js";
import { actionWaitShare } from "./limits.js";
import type { AutomodMetrics } from "./metrics.js";

/** Answers `automod.check`: may this message be stored? */
export function createCheckMessage(options: {
  judge: Judge;
  enforce: Enforce;
  metrics: AutomodMetrics;
  logger: Logger;
}): (check: AutomodCheck) => Promise<AutomodVerdict> {
  const { judge, enforce, metrics, logger } = options;

  const carryOut = async (check: AutomodCheck, match: Match) => {
    try {
      const action = await enforce(check, match, null);
      if (action !== null) metrics.acted(action);
    } catch (err) {
      // A failure to act or to log never lets the message through (docs/interface.md#11.2, rule 7).
      logger.error({ err, server_id: check.server_id, rule: match.rule }, "the action of a rule failed");
    }
  };

  return async (check) => {
    const { match, rulesAfter, ticket } = await judge.beforeStoring(check);
    metrics.judged("before", match?.rule ?? null);
    // The action is awaited, so that it has been taken when the author gets the answer, but only for a part of the
    // timeout: after the timeout the api would store the message.
    if (match !== null) {
      await within(carryOut(check, match), check.answer_within_ms * actionWaitShare, () => undefined);
    }
    return { blocked_by: match?.rule ?? null, rules_after: rulesAfter, ticket };
  };
}
