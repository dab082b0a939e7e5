import { afterEach, beforeEach } from "vitest";

// A setup file of every test file: if a test fails, it shows the output of the services during the test.
let startedAt = 0;
beforeEach(() => {
  startedAt = performance.now();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  // Loaded only now: most test files start no services.
  const { showOutputSince } = await import("@parley/testing");
  showOutputSince(startedAt, task.name);
});
