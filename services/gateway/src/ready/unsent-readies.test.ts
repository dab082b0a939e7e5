import { expect, test } from "vitest";
import { readyUnsentBytesMax } from "../limits.js";
import { createUnsentReadies } from "./unsent-readies.js";

test("the memory for unsent READYs of one user is limited, and counts a shared one once", () => {
  const unsent = createUnsentReadies();
  const [frame, other] = [Buffer.alloc(readyUnsentBytesMax / 2 + 1), Buffer.alloc(readyUnsentBytesMax / 2 + 1)];
  const holds = Array.from({ length: 50 }, () => unsent.hold("ann", frame));
  expect(holds).not.toContain(null);
  expect(unsent.hold("ann", other)).toBeNull();
  expect(unsent.hold("bob", other)).not.toBeNull();
  for (const hold of holds.slice(1)) hold?.end();
  expect(unsent.hold("ann", other)).toBeNull();
  holds[0]?.end();
  expect(unsent.hold("ann", other)).not.toBeNull();
});
