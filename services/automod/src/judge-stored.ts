import type { AutomodStored } from "@parley/contracts";
import type { Enforce } from "./enforce.js";
import type { Judge } from "./judge.js";
import type { JudgedMarks } from "./judged-marks.js";
import type { AutomodMetrics } from "./metrics.js";

/**
 * Judges a message that is stored and carries the verdict out.
 *
 * @param writtenAtMs when the text was sent, or edited
 * @returns whether a rule matched, and so deleted the message
 */
export type JudgeStored = (stored: AutomodStored, writtenAtMs: number, moment: "after" | "late") => Promise<boolean>;

export function createJudgeStored(options: {
  judge: Judge;
  enforce: Enforce;
  marks: JudgedMarks;
  metrics: AutomodMetrics;
}): JudgeStored {
  const { judge, enforce, marks, metrics } = options;
  return async (stored, writtenAtMs, moment) => {
    const match = await judge.afterStoring(stored, writtenAtMs);
    metrics.judged(moment, match?.rule ?? null);
    if (match !== null) {
      const action = await enforce(stored, match, stored.message_id);
      if (action !== null) metrics.acted(action);
    }
    // Not awaited: it is read a second later at the earliest.
    void marks.set(stored.judgement_id);
    return match !== null;
  };
}
