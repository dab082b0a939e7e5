import { createClient, type VoiceState } from "@parley/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAppStore } from "../state/store/app-store.js";
import { type Call, joinCall } from "./call.js";
import { FakeTrack, fakeMedia, fakeSignals, turn } from "./media-fixture.js";

/** The opened devices, and the wait or failure of opening the next one. */
let opened: FakeTrack[];
let device: () => Promise<void>;

beforeEach(() => {
  opened = [];
  device = async () => undefined;
  fakeMedia(async () => {
    await device();
    const track = new FakeTrack(`device ${opened.length}`);
    opened.push(track);
    return track;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const voiceState = { user_id: "ada", channel_id: "lounge", joined_at: "2026-01-01T00:00:00.000Z" };

/** A call's surroundings; the server answers a join with `joining`. */
function surroundings(
  joining = () => Response.json(voiceState),
  asked: (path: string) => Response | null = () => null,
) {
  const requests: string[] = [];
  const client = createClient({
    baseUrl: "http://parley.test",
    retries: 0,
    tokens: { accessToken: "access", refreshToken: "refresh" },
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      requests.push(`${init?.method} ${pathname.replace("/api", "")} ${init?.body ?? ""}`.trim());
      if (pathname.endsWith("/ice-servers")) return Response.json({ iceServers: [], ttl: 60 });
      if (!pathname.endsWith("/voice") || init?.method !== "POST") return asked(pathname) ?? Response.json(voiceState);
      return joining();
    },
  });
  const store = createAppStore();
  const gateway = fakeSignals();
  let ends = 0;
  const setPresent = (isPresent: boolean, decided: Partial<VoiceState> = {}) =>
    store.setState({ voice: isPresent ? { lounge: { ada: { ...voiceState, ...unmuted, ...decided } } } : {} });
  const setIn = (channel: string) =>
    store.setState({ voice: { [channel]: { ada: { ...voiceState, ...unmuted, channel_id: channel } } } });
  const join = () =>
    joinCall({ client, store, gateway, servers: { readVoice: async (channel) => setIn(channel) } }, "lounge", () => {
      ends += 1;
    });
  return { requests, join, setPresent, setIn, gateway, ends: () => ends };
}

const unmuted = {
  username: "ada",
  self_mute: false,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: false,
  server_deaf: false,
};

/** Holds back the next device until the test lets it go on. */
function holdDevice(): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  device = () => held;
  return release;
}

test("a join that the server refuses turns the microphone off", async () => {
  const { join } = surroundings(() => Response.json({ error: "Channel is full" }, { status: 409 }));
  await expect(join()).rejects.toThrow("Channel is full");
  expect(opened.map(({ readyState }) => readyState)).toEqual(["ended"]);
});

test("without a microphone one joins muted, and unmutes by opening it", async () => {
  const { join, requests } = surroundings();
  device = () => Promise.reject(new DOMException("", "NotAllowedError"));
  const call = await join();
  expect(call.state.getState()).toMatchObject({ isMuted: true, local: { microphone: null } });
  expect(call.state.getState().deviceError).not.toBeNull();
  expect(requests.at(-1)).toBe('PATCH /channels/lounge/voice {"self_mute":true}');
  device = async () => undefined;
  await call.retryMicrophone();
  expect(call.state.getState()).toMatchObject({ isMuted: false, deviceError: null, local: { microphone: opened[0] } });
  await call.leave();
});

test("a call ends once: by leaving, or when the voice state leaves the channel", async () => {
  const { join, setPresent, ends } = surroundings();
  const call = await join();
  expect(ends()).toBe(0);
  setPresent(false);
  expect(ends()).toBe(1);
  expect(opened.map(({ readyState }) => readyState)).toEqual(["ended"]);
  await call.leave();
  expect(ends()).toBe(1);
});

test("a call follows a moderator's move with its devices on, and another device's join ends it", async () => {
  const { join, setIn, gateway, requests, ends } = surroundings();
  const call = await join();
  const before = requests.length;
  gateway.move("stage");
  setIn("stage");
  expect(call.state.getState()).toMatchObject({ channelId: "stage", local: { microphone: opened[0] } });
  await call.setMuted(true);
  expect(requests.slice(before)).toEqual(['PATCH /channels/stage/voice {"self_mute":true}']);
  expect([ends(), opened.map(({ readyState }) => readyState)]).toEqual([0, ["live"]]);
  setIn("lounge");
  expect([ends(), opened.map(({ readyState }) => readyState)]).toEqual([1, ["ended"]]);
});

test("a camera that is opened only after the end of the call is turned off", async () => {
  const { join } = surroundings();
  const call = await join();
  const release = holdDevice();
  const turningOn = call.setCamera(true);
  await call.leave();
  release();
  await turningOn;
  expect(opened.map(({ readyState }) => readyState)).toEqual(["ended", "ended"]);
  expect(call.state.getState().local.camera).toBeNull();
});

test("a camera that is turned on twice at a time is open once", async () => {
  const { join } = surroundings();
  const call = await join();
  await Promise.all([call.setCamera(true), call.setCamera(true)]);
  const [, first, second] = opened;
  expect([first?.readyState, second?.readyState]).toEqual(["ended", "live"]);
  expect(call.state.getState().local.camera).toBe(second);
  await call.leave();
});

test("the browser's own button ends a shared screen for the others, too", async () => {
  const { join, requests } = surroundings();
  const call = await join();
  await call.setScreen(true);
  opened.at(-1)?.dispatchEvent(new Event("ended"));
  await turn();
  await vi.waitFor(() => expect(requests.at(-1)).toBe('PATCH /channels/lounge/voice {"self_screen":false}'));
  expect(call.state.getState().local.screen).toBeNull();
  await call.leave();
});

test("a microphone that is unplugged is replaced, and muting switches the new one", async () => {
  const { join } = surroundings();
  const call = await join();
  opened[0]?.dispatchEvent(new Event("ended"));
  await vi.waitFor(() => expect(call.state.getState().local.microphone).toBe(opened[1]));
  await call.setMuted(true);
  expect(opened[1]?.enabled).toBe(false);
  await call.leave();
});

test.each([
  ["a moderator mutes", { server_mute: true }],
  ["may not speak", { suppressed: true }],
] as const)(
  "no sound goes out of a participant whom %s, whatever else is pressed, until that ends",
  async (_, decided) => {
    const { join, setPresent } = surroundings();
    const call = await join();
    expect(opened[0]?.enabled).toBe(true);
    setPresent(true, decided);
    expect(opened[0]?.enabled).toBe(false);
    await call.setMuted(true);
    await call.setMuted(false);
    expect(opened[0]?.enabled).toBe(false);
    setPresent(true);
    expect(opened[0]?.enabled).toBe(true);
    await call.leave();
  },
);

/** A call where the server refuses every request for one address from now on. */
async function refusedFor(ending: string) {
  let isRefusing = false;
  const { join } = surroundings(undefined, (path) =>
    isRefusing && path.endsWith(ending) ? Response.json({ error: "No" }, { status: 400 }) : null,
  );
  const call = await join();
  isRefusing = true;
  return call;
}

test.each([
  ["a broadcast", "/go-live", (call: Call) => call.goLive()],
  ["a screen", "/voice", (call: Call) => call.setScreen(true)],
  ["a camera", "/voice", (call: Call) => call.setCamera(true)],
])("%s that the server refuses is shared with nobody, and its device is turned off", async (_, address, begin) => {
  const call = await refusedFor(address);
  const shared: unknown[] = [];
  call.state.subscribe(({ local }) => shared.push(local.camera, local.screen));
  await expect(begin(call)).rejects.toThrow("No");
  expect(opened.length).toBeGreaterThan(1);
  expect(opened.slice(1).map(({ readyState }) => readyState)).toEqual(opened.slice(1).map(() => "ended"));
  expect(shared.filter((track) => track !== null)).toEqual([]);
  await call.leave().catch(() => undefined);
});

test("a refused broadcast leaves a screen alone that was shared before", async () => {
  const call = await refusedFor("/go-live");
  await call.setScreen(true);
  await expect(call.goLive()).rejects.toThrow("No");
  expect(call.state.getState().local.screen?.readyState).toBe("live");
  await call.leave();
});

test("the microphone stays muted when the server refuses to unmute", async () => {
  const call = await refusedFor("/voice");
  await call.setMuted(true).catch(() => undefined);
  expect(call.state.getState().isMuted).toBe(true);
  await expect(call.setMuted(false)).rejects.toThrow("No");
  expect(call.state.getState().isMuted).toBe(true);
});

test("a screen that the browser ends while the server is asked is taken back", async () => {
  const { join, requests } = surroundings(undefined, (path) => {
    if (path.endsWith("/go-live")) opened.at(-1)?.stop();
    return null;
  });
  const call = await join();
  await call.goLive();
  expect(call.state.getState().local.screen).toBeNull();
  expect(requests.at(-1)).toBe('PATCH /channels/lounge/voice {"self_screen":false}');
  await call.leave();
});
