import { createClient } from "@parley/client";
import { expect, test } from "vitest";
import { emptyState } from "./app-state.js";
import { createAppStore } from "./app-store.js";
import { onReady } from "./ready.js";
import { createRequestQueue } from "./request-queue.js";
import { begun, channel, ready } from "./sample-state.js";
import { createServers } from "./servers.js";

const [chess] = ready.servers;
if (chess === undefined) throw new Error("The sample has no server.");

/** Servers that are read from `answers`, by path; a request for a held path is answered when it is released. */
function reading(answers: Record<string, unknown>) {
  const store = createAppStore();
  const held = new Map<string, (() => void)[]>();
  const hold = (path: string) => held.set(path, []);
  const release = (path: string) => {
    const waiting = held.get(path) ?? [];
    held.delete(path);
    for (const answer of waiting) answer();
  };
  const client = createClient({
    baseUrl: "http://parley.test",
    retries: 0,
    tokens: { accessToken: "access", refreshToken: "refresh" },
    fetch: async (input) => {
      const path = new URL(String(input)).pathname.replace("/api", "");
      const answer = answers[path];
      const waiting = held.get(path);
      if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      return answer === undefined
        ? Response.json({ error: "Already a member" }, { status: 409 })
        : Response.json(answer);
    },
  });
  const asked = (path: string) => held.get(path)?.length ?? 0;
  return { store, answers, hold, release, asked, servers: createServers(client, store, createRequestQueue(6)) };
}

const list = "/servers/server/channels";

test("a channel that was revealed while the channels were read is there", async () => {
  const { store, answers, hold, release, asked, servers } = reading({ [list]: [channel] });
  store.setState(begun);
  hold(list);
  const before = servers.readChannels("server");
  await expect.poll(() => asked(list)).toBe(1);
  answers[list] = [channel, { ...channel, id: "secret", name: "secret" }];
  const revealed = servers.readRevealed("server");
  release(list);
  await Promise.all([before, revealed]);
  expect(store.getState().channelIds.server).toEqual(["channel", "secret"]);
});

test("a server that was renamed before READY keeps its name although it was asked for earlier", async () => {
  const path = "/servers/server";
  const { store, answers, hold, release, asked, servers } = reading({
    [path]: chess,
    [list]: [channel],
    "/servers/server/emojis": [],
    "/servers/server/members/me": {},
  });
  store.setState(begun);
  hold(path);
  const opening = servers.open("server");
  await expect.poll(() => asked(path)).toBe(1);
  const renamed = { ...chess, name: "Go" };
  answers[path] = renamed;
  store.begin((state) => onReady(state, { ...ready, servers: [renamed] }));
  release(path);
  await opening;
  expect(store.getState().servers.map(({ name }) => name)).toEqual(["Go"]);
});

test("a server that was joined while READY was under way stays", async () => {
  const { store, servers } = reading({
    "/servers": [chess],
    "/servers/server/join": {},
    [list]: [channel],
    "/servers/server/roles": [],
  });
  const joining = servers.join("server");
  await expect.poll(() => store.getState().servers).toHaveLength(1);
  store.begin((state) => onReady(state, { ...ready, servers: [], server_roles: {} }));
  await joining;
  expect(store.getState().servers.map(({ id }) => id)).toEqual(["server"]);
  expect(store.getState().channelIds.server).toEqual(["channel"]);
});

test("an invite to a server of the user leads there also before READY", async () => {
  const { store, servers } = reading({ "/servers": [chess], [list]: [channel], "/servers/server/roles": [] });
  expect(store.getState()).toEqual(emptyState);
  const invite = { code: "code", server_name: chess.name, server_icon_url: chess.icon_url };
  const accepted = servers.acceptInvite({ ...invite, member_count: 1, expires_at: null });
  await expect.poll(() => store.getState().servers).toHaveLength(1);
  store.begin((state) => onReady(state, ready));
  expect(await accepted).toBe("server");
});
