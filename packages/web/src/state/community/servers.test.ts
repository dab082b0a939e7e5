import { createClient } from "@parley/client";
import { expect, test } from "vitest";
import { begun, channel, member, ready } from "../app/sample-state.js";
import { createRequestQueue } from "../platform/request-queue.js";
import { emptyState } from "../store/app-state.js";
import { createAppStore } from "../store/app-store.js";
import { onReady } from "../store/ready.js";
import { onChannel } from "./channel-events.js";
import { onServerJoin, onServerLeave } from "./server-events.js";
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
  const log: string[] = [];
  const client = createClient({
    baseUrl: "http://parley.test",
    retries: 0,
    tokens: { accessToken: "access", refreshToken: "refresh" },
    fetch: async (input) => {
      const path = new URL(String(input)).pathname.replace("/api", "");
      const answer = answers[path];
      log.push(path);
      const waiting = held.get(path);
      if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      return answer === undefined
        ? Response.json({ error: "Already a member" }, { status: 409 })
        : Response.json(answer);
    },
  });
  const asked = (path: string) => held.get(path)?.length ?? 0;
  return { store, answers, log, hold, release, asked, servers: createServers(client, store, createRequestQueue(6)) };
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

test("the data of a server is read again after the next READY only", async () => {
  const { store, log, servers } = reading({
    [list]: [channel],
    "/servers/server/emojis": [],
    "/servers/server/members/me": member("me"),
  });
  store.setState(begun);
  await servers.open("server");
  expect(log.toSorted()).toEqual([list, "/servers/server/emojis", "/servers/server/members/me"]);
  await servers.open("server");
  await servers.readChannels("server");
  expect(log).toHaveLength(3);
  store.begin((state) => onReady(state, ready));
  await servers.open("server");
  expect(log).toHaveLength(6);
});

test("a server that was left and joined again is read again", async () => {
  const { store, log, servers } = reading({
    [list]: [channel],
    "/servers/server/emojis": [],
    "/servers/server/members/me": member("me"),
  });
  store.setState(begun);
  await servers.open("server");
  store.apply((state) => onServerLeave(state, { server_id: "server", reason: "left" }));
  const again = { server: chess, roles: [], channel_overrides: {}, member: member("me") };
  store.apply((state) => onServerJoin(state, again));
  await servers.open("server");
  expect(log.filter((path) => path === list)).toHaveLength(2);
  expect(store.getState().channelIds.server).toEqual(["channel"]);
});

test("joining ends when the page has the server", async () => {
  const { store, servers } = reading({ "/servers/server/join": {} });
  store.setState({ ...begun, servers: [] });
  let isOver = false;
  const joining = servers.join("server").then(() => {
    isOver = true;
  });
  await expect.poll(() => store.getState().servers).toEqual([]);
  expect(isOver).toBe(false);
  store.apply((state) =>
    onServerJoin(state, { server: chess, roles: [], channel_overrides: {}, member: member("me") }),
  );
  await joining;
});

test("a channel is there once it is made, and stays as its later events left it", async () => {
  const made = { ...channel, id: "new", name: "new", position: 1 };
  const { store, servers } = reading({ [list]: made });
  store.setState(begun);
  await servers.createChannel("server", { name: "new" });
  expect(store.getState().channelIds.server).toEqual(["channel", "new"]);
  const again = servers.createChannel("server", { name: "new" });
  store.apply((state) => onChannel(state, { ...made, name: "renamed" }));
  await again;
  expect(store.getState().channels.new?.name).toBe("renamed");
});

test("an invite to a server of the user leads there also before READY", async () => {
  const { store, servers } = reading({});
  expect(store.getState()).toEqual(emptyState);
  const invite = { code: "code", server_name: chess.name, server_icon_url: chess.icon_url };
  const accepted = servers.acceptInvite({ ...invite, member_count: 1, expires_at: null });
  store.begin((state) => onReady(state, ready));
  expect(await accepted).toBe("server");
});
