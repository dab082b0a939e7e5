import { expect, test } from "vitest";
import type { StoredState, VoiceChange } from "./change.js";
import { eventsOf } from "./events.js";

const state: StoredState = {
  user_id: "ann-id",
  username: "ann",
  server_id: "s1",
  channel_id: "c1",
  self_mute: true,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: true,
  server_deaf: false,
  joined_at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  version: 7,
};
const change = (previous: VoiceChange["previous"], now: StoredState | null): VoiceChange => ({
  kind: "voice",
  user_id: "ann-id",
  username: "ann",
  previous,
  state: now,
});
const there = { op: "DISPATCH", t: "VOICE_STATE_UPDATE" };
const present = {
  user_id: "ann-id",
  channel_id: "c1",
  self_mute: true,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: true,
  server_deaf: false,
  joined_at: "2026-01-02T03:04:05.678Z",
  username: "ann",
};
const gone = { ...present, channel_id: null, self_mute: false, server_mute: false, joined_at: null };

const published = (event: ReturnType<typeof eventsOf>[number]) => [
  event.subject,
  event.headers,
  { ...there, ...JSON.parse(event.body) },
];
const at = (place: string) => `events.server.${place}.voice.VOICE_STATE_UPDATE`;

test.each<[string, VoiceChange, unknown[]]>([
  ["joining notifies the new channel", change(null, state), [[at("s1.c1"), {}, { ...there, d: present }]]],
  [
    "leaving notifies the channel left, with everything cleared",
    change({ server_id: "s1", channel_id: "c1" }, null),
    [[at("s1.c1"), {}, { ...there, d: gone }]],
  ],
  [
    "staying in the channel notifies it once",
    change({ server_id: "s1", channel_id: "c1" }, state),
    [[at("s1.c1"), {}, { ...there, d: present }]],
  ],
  [
    "moving within a server spares the viewers of the new channel the leave form",
    change({ server_id: "s1", channel_id: "c0" }, state),
    [
      [at("s1.c0"), { "Parley-Except-Viewers-Of": "c1" }, { ...there, d: gone }],
      [at("s1.c1"), {}, { ...there, d: present }],
    ],
  ],
  [
    "a moderator's move notifies the user first, whose devices follow it",
    change({ server_id: "s1", channel_id: "c0" }, { ...state, moved: true }),
    [
      [
        "events.user.ann-id.voice.VOICE_MOVE",
        {},
        { op: "DISPATCH", t: "VOICE_MOVE", d: { server_id: "s1", channel_id: "c1" } },
      ],
      [at("s1.c0"), { "Parley-Except-Viewers-Of": "c1" }, { ...there, d: gone }],
      [at("s1.c1"), {}, { ...there, d: present }],
    ],
  ],
  [
    "a change of somebody who was moved before notifies the channel once",
    change({ server_id: "s1", channel_id: "c1" }, { ...state, moved: true }),
    [[at("s1.c1"), {}, { ...there, d: present }]],
  ],
  [
    "moving to another server notifies the old channel first, all of it",
    change({ server_id: "s0", channel_id: "c0" }, state),
    [
      [at("s0.c0"), {}, { ...there, d: gone }],
      [at("s1.c1"), {}, { ...there, d: present }],
    ],
  ],
  ["neither before nor now publishes nothing", change(null, null), []],
])("the events of a voice transition are published in their order: %s", (_name, voiceChange, expected) => {
  expect(eventsOf(voiceChange).map(published)).toEqual(expected);
});

test("going live and its end are announced to the channel", () => {
  const place = { server_id: "s1", channel_id: "c1", broadcaster_id: "ann-id" };
  const session = { ...place, quality: "1080p" as const, started_at: state.joined_at, version: 8 };
  const [started] = eventsOf({ kind: "go_live", ...place, session });
  expect(started?.subject).toBe("events.server.s1.c1.go-live.GO_LIVE_START");
  expect(JSON.parse(started?.body ?? "").d).toEqual({
    channel_id: "c1",
    broadcaster_id: "ann-id",
    quality: "1080p",
    started_at: "2026-01-02T03:04:05.678Z",
  });
  const [stopped] = eventsOf({ kind: "go_live", ...place, session: null });
  expect(stopped?.subject).toBe("events.server.s1.c1.go-live.GO_LIVE_STOP");
  expect(JSON.parse(stopped?.body ?? "").d).toEqual({ channel_id: "c1", broadcaster_id: "ann-id" });
});
