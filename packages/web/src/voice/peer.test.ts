import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeConnection, FakeTrack, fakeMedia, signalOf, tracksOf, turn } from "./media-fixture.js";
import { Peer } from "./peer.js";
import { noTracks } from "./tracks.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fakeMedia();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A connection to Ben, with its sent frames, shown tracks and failures. */
function connect() {
  const sent: string[] = [];
  let failures = 0;
  const peer = new Peer({
    userId: "ben",
    session: "session",
    iceServers: [],
    send: ({ type, sdp, candidate }) => void sent.push(`${type} ${sdp ?? candidate}`),
    onTracks: () => undefined,
    onFailed: () => {
      failures += 1;
    },
  });
  const [connection] = FakeConnection.made;
  if (connection === undefined) throw new Error("The peer made no connection.");
  return { peer, connection, sent, failures: () => failures };
}

test("an offer waits for its candidates, and only those found later are sent by themselves", async () => {
  const { peer, connection, sent } = connect();
  const offering = peer.offer(noTracks);
  await turn();
  connection.onicecandidate?.({ candidate: { candidate: "early" } });
  expect(sent).toEqual([]);
  connection.gather();
  await offering;
  connection.onicecandidate?.({ candidate: { candidate: "late" } });
  connection.onicecandidate?.({ candidate: null });
  expect(sent).toEqual(["offer own offer", 'candidate {"candidate":"late"}']);
});

test("an offer is sent after a second even if candidates are still being found", async () => {
  const { peer, sent } = connect();
  const offering = peer.offer(noTracks);
  await turn();
  vi.advanceTimersByTime(999);
  await turn();
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  await offering;
  expect(sent).toEqual(["offer own offer"]);
});

test("candidates that come before the description are added after it, in their order", async () => {
  const { peer, connection } = connect();
  await peer.receive(signalOf("candidate", '{"candidate":"1"}'), noTracks);
  await peer.receive(signalOf("candidate", '{"candidate":"2"}'), noTracks);
  await peer.receive(signalOf("candidate", "not JSON"), noTracks);
  expect(connection.added).toEqual([]);
  connection.gather();
  await peer.receive(signalOf("offer"), noTracks);
  expect(connection.added).toEqual([{ candidate: "1" }, { candidate: "2" }]);
});

test("an answer sends the tracks, and a change replaces only what has changed", async () => {
  const { peer, connection, sent } = connect();
  connection.gather();
  const first = tracksOf("microphone");
  await peer.receive(signalOf("offer"), first);
  expect(sent).toEqual(["answer own answer"]);
  expect(connection.getTransceivers().map(({ direction }) => direction)).toEqual(Array(4).fill("sendrecv"));
  await peer.setTracks({ ...first, camera: new FakeTrack("camera") });
  await peer.setTracks({ ...first, camera: new FakeTrack("other camera") });
  await peer.setTracks(first);
  expect(connection.replaced).toEqual(["microphone", "camera", "other camera", "no camera"]);
});

test("tracks that change while the offer is under way are those that are sent", async () => {
  const { peer, connection } = connect();
  const offering = peer.offer(tracksOf("microphone"));
  await peer.setTracks(tracksOf("camera"));
  connection.gather();
  await offering;
  expect(connection.getTransceivers().map(({ sender }) => sender.track?.label ?? null)).toEqual([
    null,
    "camera",
    null,
    null,
  ]);
});

test("a broken connection is reported, and not once it was closed", () => {
  const { peer, connection, failures } = connect();
  connection.fail();
  expect(failures()).toBe(1);
  peer.close();
  connection.fail();
  expect(failures()).toBe(1);
  expect(connection.isClosed).toBe(true);
});
