import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.js";

describe("turns", () => {
  it("lets a limited number run at a time, in the order of asking, also past failures", async () => {
    const takeTurn = createTurns(2);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const works = Array.from({ length: 3_000 }, (_, number) =>
      takeTurn(async () => {
        started.push(number);
        running += 1;
        most = Math.max(most, running);
        await new Promise((settle) => setImmediate(settle));
        running -= 1;
        if (number % 7 === 0) throw new Error("failed");
        return number;
      }).catch(() => -1),
    );
    const results = await Promise.all(works);
    expect(most).toBe(2);
    expect(started).toEqual([...started].sort((a, b) => a - b));
    expect(results.filter((result) => result === -1)).toHaveLength(Math.ceil(3_000 / 7));
  });
});
