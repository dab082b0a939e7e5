import type { AutomodAction, AutomodRuleType } from "@parley/contracts";
import type { Metrics } from "@parley/service-runtime";
import { Counter, Gauge } from "prom-client";

/** When a message was judged. */
type Moment = "before" | "after" | "late";

/** What automod counts. */
export interface AutomodMetrics {
  /** A message was judged; `rule` is the one that matched. */
  judged(moment: Moment, rule: AutomodRuleType | null): void;
  acted(action: AutomodAction): void;
  /** Events that wait in this process or are judged. */
  setWaitingEvents(count: number): void;
}

export function createAutomodMetrics({ registry }: Metrics): AutomodMetrics {
  const registers = [registry];
  const verdicts = new Counter({
    name: "automod_verdicts_total",
    help: "Messages judged, by the moment and the rule that matched",
    labelNames: ["moment", "rule"],
    registers,
  });
  const actions = new Counter({
    name: "automod_actions_total",
    help: "Actions taken",
    labelNames: ["action"],
    registers,
  });
  const waiting = new Gauge({
    name: "automod_events_held",
    help: "Stored messages waiting to be judged late",
    registers,
  });
  return {
    judged: (moment, rule) => verdicts.inc({ moment, rule: rule ?? "none" }),
    acted: (action) => actions.inc({ action }),
    setWaitingEvents: (count) => waiting.set(count),
  };
}
