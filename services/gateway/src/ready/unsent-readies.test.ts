import { expect, test } from "vitest";
import { readyUnsentBytesMax } from "../limits.js";
import { UnsentReadies } from "./unsent-readies.js";

test("the memory for unsent READYs of one user is limited, and counts a shared one once", () => {
  const unsent = new UnsentReadies();
  const [frame, other] = [Buffer.alloc(readyUnsentBytesMax / 2 + 1), Buffer.alloc(readyUnsentBytesMax / 2 + 1)];
  const releases = Array.from({ length: 50 }, () => unsent.add("ann", frame));
  expect(releases).not.toContain(null);
  expect(unsent.add("ann", other)).toBeNull();
  expect(unsent.add("bob", other)).not.toBeNull();
  for (const release of releases.slice(1)) release?.();
  expect(unsent.add("ann", other)).toBeNull();
  releases[0]?.();
  expect(unsent.add("ann", other)).not.toBeNull();
});
