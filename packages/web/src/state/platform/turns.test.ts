import { expect, test } from "vitest";
import { createTurns } from "./turns.js";

test("requests of a key wait for the one before, also if that fails; those of other keys do not", async () => {
  const inTurn = createTurns();
  const sent: string[] = [];
  let fail: (reason: Error) => void = () => undefined;
  const first = inTurn("a", () => {
    sent.push("first");
    return new Promise((_, reject) => {
      fail = reject;
    });
  });
  const send = (name: string) => async () => {
    sent.push(name);
    return name;
  };
  const second = inTurn("a", send("second"));
  expect(await inTurn("b", send("other"))).toBe("other");
  expect(sent).toEqual(["first", "other"]);
  fail(new Error("Refused"));
  await expect(first).rejects.toThrow("Refused");
  expect(await second).toBe("second");
});
