import type { VoiceState } from "@parley/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAppStore } from "../state/store/app-store.js";
import { FakeConnection, fakeMedia, fakeSignals, tracksOf, turn } from "./media-fixture.js";
import { createMesh } from "./mesh.js";
import type { Tracks } from "./tracks.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fakeMedia();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const participant = (user_id: string, second: number): VoiceState => ({
  user_id,
  username: user_id,
  channel_id: "lounge",
  self_mute: false,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: false,
  server_deaf: false,
  joined_at: `2026-01-01T00:00:0${second}.000Z`,
});

/** Ada's connections in a channel, which she joined in second 2. */
function adasMesh() {
  const store = createAppStore();
  const gateway = fakeSignals();
  const shown: Record<string, Tracks | null> = {};
  const mesh = createMesh({
    gateway,
    store,
    channelId: "lounge",
    ownId: "ada",
    iceServers: [],
    local: () => tracksOf("microphone"),
    onTracks: (userId, tracks) => {
      shown[userId] = tracks;
    },
  });
  /** Sets the participants, as READY, an event or an answer does. */
  const present = (...others: VoiceState[]) => {
    const list = [participant("ada", 2), ...others];
    store.setState({ voice: { lounge: Object.fromEntries(list.map((one) => [one.user_id, one])) } });
    mesh.meet();
  };
  /** All connections find their candidates. */
  const gather = async () => {
    await turn();
    for (const connection of FakeConnection.made) connection.gather();
    await turn();
  };
  return { mesh, gateway, shown, present, gather };
}

const open = () => FakeConnection.made.filter(({ isClosed }) => !isClosed);

test("the one who joined later offers; of two at the same time, the one with the greater id", async () => {
  const { gateway, present, gather } = adasMesh();
  present(participant("ben", 1), participant("cleo", 3), participant("abe", 2), participant("zoe", 2));
  await gather();
  vi.advanceTimersByTime(100);
  expect(gateway.sent.map(({ type, to }) => [type, to])).toEqual([
    ["offer", "ben"],
    ["offer", "abe"],
  ]);
});

test("a participant is met once, and again when they joined anew", async () => {
  const { present } = adasMesh();
  present(participant("ben", 0));
  present(participant("ben", 0));
  expect(FakeConnection.made).toHaveLength(1);
  present(participant("ben", 1));
  expect(FakeConnection.made.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test("an offer of another session takes the place of a connection, whose late signals are dropped", async () => {
  const { gateway, gather, present } = adasMesh();
  present(participant("ben", 3));
  gateway.bring({ type: "candidate", candidate: "{}" });
  expect(FakeConnection.made).toHaveLength(0);
  gateway.bring({ stream_type: "first" });
  await gather();
  gateway.bring({ stream_type: "second" });
  await gather();
  const [first, second] = FakeConnection.made;
  expect([first?.isClosed, second?.isClosed]).toEqual([true, false]);
  gateway.bring({ type: "candidate", candidate: '{"candidate":"old"}', stream_type: "first" });
  gateway.bring({ type: "candidate", candidate: '{"candidate":"new"}', stream_type: "second" });
  await turn();
  expect(second?.added).toEqual([{ candidate: "new" }]);
  expect(FakeConnection.made).toHaveLength(2);
});

test("an offer that crosses one's own, after both joined anew, leaves one connection that answers it", async () => {
  const { gateway, gather, present } = adasMesh();
  present(participant("ben", 1));
  gateway.bring({ stream_type: "theirs" });
  await gather();
  vi.advanceTimersByTime(100);
  expect(open()).toHaveLength(1);
  expect(open()[0]?.localDescription?.type).toBe("answer");
});

test("a user who leaves is disconnected, shown no more, and gets no waiting signal", async () => {
  const { gateway, shown, gather, present } = adasMesh();
  present(participant("ben", 0), participant("bob", 1));
  await gather();
  expect(gateway.sent.map(({ to }) => to)).toEqual(["ben"]);
  present(participant("ben", 0));
  vi.advanceTimersByTime(1_000);
  expect(gateway.sent.map(({ to }) => to)).toEqual(["ben"]);
  expect(shown).toMatchObject({ bob: null });
  expect(open()).toHaveLength(1);
});

test("a connection that fails is made anew in a session of its own, three times", async () => {
  const { gateway, gather, present } = adasMesh();
  present(participant("ben", 0));
  for (let failures = 1; failures <= 4; failures += 1) {
    await gather();
    vi.advanceTimersByTime(100);
    FakeConnection.made.at(-1)?.fail();
  }
  expect(FakeConnection.made).toHaveLength(4);
  expect(new Set(gateway.sent.map(({ session }) => session)).size).toBe(4);
  expect(open()).toHaveLength(0);
});

test("a description that the browser refuses ends its connection only", async () => {
  const { gateway, gather, present } = adasMesh();
  present(participant("ben", 1), participant("bob", 1));
  const [ben] = FakeConnection.made;
  if (ben === undefined) throw new Error("There is no connection to Ben.");
  await gather();
  ben.failure = new Error("wrong");
  gateway.bring({ type: "answer", stream_type: gateway.sent[0]?.session ?? null });
  await turn();
  expect(FakeConnection.made.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test("a call that is closed has no connection, and an offer begins none", async () => {
  const { mesh, gateway, present } = adasMesh();
  present(participant("ben", 1));
  mesh.close();
  gateway.bring({ stream_type: "late" });
  expect(FakeConnection.made).toHaveLength(1);
  expect(open()).toHaveLength(0);
});
