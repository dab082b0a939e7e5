import { defineScript, readLua, type Script } from "./script.js";
import type { TakeOutcome } from "./token-rule.js";

/** What the script found, one outcome for each key. */
export interface TakeReply {
  nowMicros: number;
  outcomes: TakeOutcome[];
}

const lua = readLua(new URL("../lua/", import.meta.url), "take-tokens");

/** The script that takes tokens from `keyCount` buckets at once. */
export function takeScript(keyCount: number): Script<TakeReply> {
  return defineScript({
    name: "token-bucket-take",
    keyCount,
    lua,
    reply: (raw) => {
      const [nowMicros, ...found] = Array.isArray(raw) ? raw.map(Number) : [];
      if (nowMicros === undefined || found.length !== 2 * keyCount || found.some(Number.isNaN)) {
        throw new TypeError("The token bucket script answered in an unknown form.");
      }
      const outcomes = Array.from({ length: keyCount }, (_, index) => ({
        allowed: found[2 * index] === 1,
        fullAtMicros: found[2 * index + 1] ?? nowMicros,
      }));
      return { nowMicros, outcomes };
    },
  });
}
