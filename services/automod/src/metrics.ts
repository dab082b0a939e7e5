import type { AutomodLogEntry, AutomodRuleType, AutomodTriggerType } from "@parley/contracts";
import type { Metrics } from "@parley/service-runtime";
import { Counter, Gauge } from "prom-client";

/** Automod's counters. */
export type AutomodMetrics = ReturnType<typeof createAutomodMetrics>;

export function createAutomodMetrics({ registry }: Metrics) {
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
    /** A message was judged; `rule` is the one that matched. */
    judged: (moment: "before" | "after" | "late", rule: AutomodRuleType | null) =>
      verdicts.inc({ moment, rule: rule ?? "none" }),
    /** A message was judged by the rules of its server. */
    judgedByRules(
      moment: "before" | "after" | "late",
      matches: readonly { rule: { trigger: { type: AutomodTriggerType } } }[],
    ) {
      for (const { rule } of matches) verdicts.inc({ moment, rule: rule.trigger.type });
    },
    acted: (action: AutomodLogEntry["action_taken"]) => actions.inc({ action }),
    /** Events that wait in this process or are judged. */
    setWaitingEvents: (count: number) => waiting.set(count),
  };
}
