import { ParleyError } from "@parley/client";
import { expect, test } from "vitest";
import { texts } from "../../texts/texts.js";
import { attemptsByItselfMax, isRepeatable, outcomeOf, repeatableMsMax, StoppedError } from "./sending-outcome.js";

const answered = (status: number, text = "Said by the server") => new ParleyError({ status, code: "unknown", text });

test.each([
  ["no answer", answered(0), "waiting", texts.common.unreachable],
  ["a gateway without an api", answered(502), "waiting", "Said by the server"],
  ["an api that is starting", answered(503), "waiting", "Said by the server"],
  ["a session that has ended", answered(401), "waiting", "Said by the server"],
  ["a fault of the server", answered(500), "failed", "Said by the server"],
  ["a limit", answered(429), "failed", "Said by the server"],
  [
    "a word that is not allowed",
    answered(403, "Message blocked by word filter"),
    "refused",
    "Message blocked by word filter",
  ],
  ["a text that is too long", answered(400), "refused", "Said by the server"],
  ["a channel that is gone", answered(404), "refused", "Said by the server"],
  ["its author", new StoppedError(), "failed", texts.conversation.stopped],
  ["an error of the page", new TypeError("x is undefined"), "failed", texts.common.failed],
])("a message that is stopped by %s", (_, error, state, said) => {
  expect(outcomeOf(error, { attempts: 1 })).toEqual({ state, error: said });
});

test("a message that never gets an answer waits for its author after some attempts", () => {
  const states = Array.from(
    { length: attemptsByItselfMax },
    (_, n) => outcomeOf(answered(0), { attempts: n + 1 }).state,
  );
  expect(states).toEqual([...Array(attemptsByItselfMax - 1).fill("waiting"), "failed"]);
});

test("a message is not sent again once the server may have forgotten its nonce", () => {
  const createdAt = "2026-05-01T12:00:00.000Z";
  const written = Date.parse(createdAt);
  expect(isRepeatable({ createdAt }, written + repeatableMsMax - 1)).toBe(true);
  expect(isRepeatable({ createdAt }, written + repeatableMsMax)).toBe(false);
});
