import { type Browser, startFirefox } from "@parley/testing";
import { afterAll, beforeAll, test } from "vitest";
import { stage, storyTimeoutMs, tellStory } from "./story-stage.js";

let firefox: Browser;
beforeAll(async () => {
  firefox = await startFirefox();
});
afterAll(() => firefox?.close());

test.each(["Chromium", "Firefox"] as const)(
  "somebody makes a server in %s, somebody with the other browser is invited, and they talk, also in a group, share, moderate, use a bot and call",
  (name) => (name === "Chromium" ? tellStory(stage.browser, firefox) : tellStory(firefox, stage.browser)),
  storyTimeoutMs,
);
