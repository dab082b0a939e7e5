import { createBot, createClient, type Gateway, ParleyError } from "@parley/client";
import { readyFrame, startLoopbackGateway, waitUntil } from "@parley/testing";
import { afterEach, expect, test } from "vitest";

const closes: (() => unknown)[] = [];
const url = "http://127.0.0.1:9";

afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

/** A connected gateway, and a function that sends deletions of messages with these ids to it. */
async function start() {
  const sends: ((data: string) => void)[] = [];
  const server = await startLoopbackGateway((socket) => {
    sends.push((data) => socket.send(data));
    socket.send(readyFrame("0"));
  });
  const gateway: Gateway = createClient({ baseUrl: server.url, botToken: "bot" }).gateway();
  closes.push(() => gateway.close(), server.close);
  await gateway.connect();
  const send = (...ids: string[]) => {
    for (const id of ids) sends.at(-1)?.(deletion(id));
  };
  return { gateway, send };
}

const deletion = (id: string) =>
  JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s: id, d: { id, channel_id: "channel" } });

/** A filter that fits one id, and the ids that it was asked about. */
function only(wanted: string) {
  const asked: string[] = [];
  const filter = ({ id }: { id: string }) => {
    asked.push(id);
    return id === wanted;
  };
  return { asked, filter };
}

test("waitFor resolves with the next event that fits, and listens no longer", async () => {
  const { gateway, send } = await start();
  const { asked, filter } = only("2");
  const waiting = gateway.waitFor("MESSAGE_DELETE", { filter, timeoutMs: 10_000 });
  const next = gateway.waitFor("MESSAGE_DELETE");
  send("1", "2", "3");
  expect(await waiting).toEqual({ id: "2", channel_id: "channel" });
  expect((await next).id).toBe("1");
  await waitUntil(() => gateway.position === "3");
  expect(asked).toEqual(["1", "2"]);
});

test("waitFor rejects after its limit, on abort, with a filter's error and when the gateway is closed, and listens no longer", async () => {
  const { gateway, send } = await start();
  const { asked, filter } = only("never");
  const stop = new AbortController();
  const waits = [
    gateway.waitFor("MESSAGE_DELETE", { filter, timeoutMs: 5 }),
    gateway.waitFor("MESSAGE_DELETE", { filter, signal: stop.signal }),
    gateway.waitFor("MESSAGE_DELETE", { filter, signal: AbortSignal.abort("long ago") }),
  ];
  stop.abort("enough");
  const ends = await Promise.allSettled(waits);
  expect(ends.map((end) => end.status === "rejected" && end.reason)).toEqual([
    expect.objectContaining({ name: "ParleyError", code: "deadline_passed" }),
    "enough",
    "long ago",
  ]);
  const failing = gateway.waitFor("MESSAGE_DELETE", {
    filter() {
      throw new Error("wrong filter");
    },
  });
  send("1");
  await expect(failing).rejects.toThrow("wrong filter");
  await waitUntil(() => gateway.position === "1");
  expect(asked).toEqual([]);
  const left = gateway.waitFor("MESSAGE_DELETE", { timeoutMs: 60_000 });
  gateway.close();
  const error: unknown = await left.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({ code: "gateway_closed" });
});

test("collect resolves with so many events, or with those of its time", async () => {
  const { gateway, send } = await start();
  const { asked, filter } = only("2");
  const two = gateway.collect("MESSAGE_DELETE", { max: 2 });
  const fitting = gateway.collect("MESSAGE_DELETE", { filter, max: 5, timeoutMs: 3_000 });
  send("1", "2", "3");
  expect((await two).map(({ id }) => id)).toEqual(["1", "2"]);
  expect((await fitting).map(({ id }) => id)).toEqual(["2"]);
  send("4");
  await waitUntil(() => gateway.position === "4");
  expect(asked).toEqual(["1", "2", "3"]);
});

test("a gateway asks for the whole stream of changes unless v is 1, and a bot for members when it handles them", async () => {
  const queries: string[] = [];
  const server = await startLoopbackGateway((socket, query) => {
    queries.push(["v", "members", "events"].map((name) => `${name}=${query.get(name)}`).join("&"));
    socket.send(readyFrame("0"));
  });
  closes.push(server.close);
  const client = createClient({ baseUrl: server.url, botToken: "bot" });
  for (const options of [{}, { v: 1 }, { v: 2, members: "all" }] as const) {
    const gateway = client.gateway(options);
    await gateway.connect();
    gateway.close();
  }
  const bot = createBot({ url: server.url, token: "bot", log: () => undefined })
    .on("SERVER_JOIN", () => undefined)
    .on("MEMBER_JOIN", () => undefined);
  const running = bot.start();
  await waitUntil(() => queries.length === 4);
  bot.stop();
  await running;
  expect(queries).toEqual([
    "v=2&members=null&events=null",
    "v=null&members=null&events=null",
    "v=2&members=all&events=null",
    "v=2&members=all&events=SERVER_JOIN,MEMBER_JOIN",
  ]);
});

test("a bot that does not run waits for nothing", async () => {
  const bot = createBot({ url, token: "bot" });
  await expect(bot.waitFor("MESSAGE_CREATE", () => true, 1)).rejects.toThrow("not running");
});
