import { expect, test } from "vitest";
import { readVoiceSettings } from "./voice-settings.js";

test("reads kept voice settings, and takes the usual value for whatever is broken in them", () => {
  const usual = readVoiceSettings(null);
  const chosen = { ...usual, microphoneId: "m1", isPushToTalk: true, people: { ada: { volume: 30, isMuted: true } } };
  expect(readVoiceSettings(JSON.stringify(chosen))).toEqual(chosen);
  for (const broken of ["", "null", "7", '{"volume":101,"talkKey":4,"people":[]}']) {
    expect(readVoiceSettings(broken)).toEqual(usual);
  }
  expect(readVoiceSettings('{"people":{"ada":{"volume":-1},"ben":null}}').people).toEqual({
    ada: { volume: 100, isMuted: false },
    ben: { volume: 100, isMuted: false },
  });
});
