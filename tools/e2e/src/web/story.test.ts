import { test } from "vitest";
import { stage, storyTimeoutMs, tellStory } from "./story-stage.js";

test(
  "somebody makes a server, somebody is invited, and they talk, also in a group, share, moderate, use a bot and call",
  () => tellStory(stage.browser, stage.browser),
  storyTimeoutMs,
);
