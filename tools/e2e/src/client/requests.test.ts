import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, ParleyError, type Tokens } from "@parley/client";
import { type SharedStack, sharedStack } from "@parley/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pngPixel } from "../api/stages/sample-files.js";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

const account = () => ({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });

/** A fetch that counts the requests to each path. */
function countingFetch() {
  const counts = new Map<string, number>();
  const counted: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input));
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    return fetch(input, init);
  };
  return { counts, fetch: counted };
}

/** A server in front of the edge that answers the first requests itself, or cuts them off. */
async function startObstacle(answer: (count: number) => number | "cut" | "forward and cut" | "forward") {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const what = answer(count);
    if (typeof what === "number") {
      const headers = what === 429 ? { "retry-after": "1", "content-type": "application/json" } : {};
      return void response.writeHead(what, headers).end('{"error":"Too many requests"}');
    }
    if (what === "cut") return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      void fetch(`${stack.edgeUrl}${request.url}`, {
        method: request.method ?? "GET",
        headers: { authorization, "content-type": type },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      }).then(async (forwarded) => {
        const body = await forwarded.text();
        if (what === "forward and cut") request.socket.destroy();
        else response.writeHead(forwarded.status, { "content-type": "application/json" }).end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, count: () => count, close };
}

/** A user's channel, and a client of theirs whose first request is executed, but loses its answer. */
async function behindLostAnswer() {
  const { url, count, close } = await startObstacle((at) => (at === 1 ? "forward and cut" : "forward"));
  onTestFinished(() => void close());
  const owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register(account());
  const server = await owner.servers.create({ name: "Once" });
  const channel = await owner.channels.create(server.id, { name: "general" });
  const tokens = owner.tokens ?? { accessToken: "", refreshToken: "" };
  return { owner, channel, count, client: createClient({ baseUrl: url, tokens, backoff: { baseMs: 1, maxMs: 1 } }) };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address;
}

describe("tokens", () => {
  test("an access token that has expired is renewed once for all requests that find out", async () => {
    const first = createClient({ baseUrl: stack.edgeUrl });
    await first.register(account());
    const { counts, fetch } = countingFetch();
    const kept: (Tokens | null)[] = [];
    const tokens = { accessToken: "expired", refreshToken: first.tokens?.refreshToken ?? "" };
    const client = createClient({ baseUrl: stack.edgeUrl, tokens, fetch, onTokens: (next) => kept.push(next) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.users.me()));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(counts.get("/api/auth/refresh")).toBe(1);
    expect(kept).toEqual([client.tokens]);
  });

  test("an ended session ends with the server's 401, and says so", async () => {
    const kept: (Tokens | null)[] = [];
    const tokens = { accessToken: "expired", refreshToken: "unknown" };
    const client = createClient({ baseUrl: stack.edgeUrl, tokens, onTokens: (next) => kept.push(next) });
    const refusal: unknown = await client.users.me().catch((error) => error);
    expect(refusal).toBeInstanceOf(ParleyError);
    expect(refusal).toMatchObject({ status: 401, code: "invalid_token", requestId: expect.any(String) });
    expect(kept).toEqual([null]);
  });
});

describe("repetition", () => {
  test("a request that got no answer, or that of an outage, is repeated", async () => {
    const obstacle = await startObstacle((count) => (count === 1 ? "cut" : count === 2 ? 503 : "forward"));
    try {
      const owner = createClient({ baseUrl: stack.edgeUrl });
      await owner.register(account());
      const tokens = owner.tokens ?? { accessToken: "", refreshToken: "" };
      const client = createClient({ baseUrl: obstacle.url, tokens, backoff: { baseMs: 1, maxMs: 1 } });
      expect((await client.users.me()).id).toBe((await owner.users.me()).id);
      expect(obstacle.count()).toBe(3);
    } finally {
      await obstacle.close();
    }
  });

  test("a message whose answer is lost is sent again, and is there once", async () => {
    const { owner, client, channel, count } = await behindLostAnswer();
    const sent = await client.messages.send(channel.id, { content: "Only once" });
    expect(count()).toBe(2);
    expect((await owner.messages.list(channel.id)).map(({ id }) => id)).toEqual([sent.id]);
  });

  test("a message waits for the end of an outage, other requests give up", async () => {
    let count = 0;
    const obstacle = await startObstacle(() => (count++ < 20 ? 503 : "forward"));
    onTestFinished(() => void obstacle.close());
    const owner = createClient({ baseUrl: stack.edgeUrl });
    await owner.register(account());
    const channel = await owner.channels.create((await owner.servers.create({ name: "Away" })).id, { name: "general" });
    const tokens = owner.tokens ?? { accessToken: "", refreshToken: "" };
    const client = createClient({ baseUrl: obstacle.url, tokens, backoff: { baseMs: 1, maxMs: 1 } });
    await expect(client.users.me()).rejects.toMatchObject({ status: 503 });
    expect(count).toBe(5);
    expect((await client.messages.send(channel.id, { content: "At last" })).content).toBe("At last");
    expect(count).toBe(21);
  });

  test("a deletion whose answer is lost is repeated, and succeeds when nothing is left to delete", async () => {
    const { owner, client, channel, count } = await behindLostAnswer();
    const message = await owner.messages.send(channel.id, { content: "Gone" });
    await client.messages.delete(message.id);
    expect(count()).toBe(2);
    expect(await owner.messages.list(channel.id)).toEqual([]);
    // The outcome of the first attempt is known: it was deleted before.
    await expect(client.messages.delete(message.id)).rejects.toMatchObject({ status: 404 });
  });

  test("a request that makes something is not repeated when its answer is lost", async () => {
    const obstacle = await startObstacle(() => "forward and cut");
    try {
      const owner = createClient({ baseUrl: stack.edgeUrl });
      await owner.register(account());
      const tokens = owner.tokens ?? { accessToken: "", refreshToken: "" };
      const client = createClient({ baseUrl: obstacle.url, tokens, backoff: { baseMs: 1, maxMs: 1 } });
      await expect(client.servers.create({ name: "Once" })).rejects.toMatchObject({ status: 0 });
      expect(await owner.servers.list()).toHaveLength(1);
    } finally {
      await obstacle.close();
    }
  });
});

describe("addresses", () => {
  test("an address that is none is refused at once", () => {
    for (const baseUrl of ["localhost:9080", "ws://chat.example.com", "chat.example.com", "http://", ""]) {
      expect(() => createClient({ baseUrl })).toThrow(/must be the address of a server such as https:/);
    }
  });

  test("white space, slashes and the prefix of the API around an address are left out", async () => {
    for (const written of [`${stack.edgeUrl}/\n`, ` ${stack.edgeUrl}/api`, `${stack.edgeUrl}/api/`]) {
      expect(await createClient({ baseUrl: written }).instance.registrationMode()).toHaveProperty("registration_mode");
    }
  });

  test("an answer that no Parley server gives is an error that says so, and final", async () => {
    const client = createClient({ baseUrl: `${stack.edgeUrl}/app`, botToken: "0".repeat(64) });
    const text = `There is no Parley server at ${stack.edgeUrl}/app (it answered with text/html)`;
    await expect(client.users.me()).rejects.toMatchObject({ name: "ParleyError", text, final: true });
    await expect(client.bots.connect()).rejects.toMatchObject({ status: 404, final: true });
  });
});

describe("errors", () => {
  test("an error names the request, without its query", async () => {
    const client = createClient({ baseUrl: stack.edgeUrl });
    const error: unknown = await client.messages.list("id", { limit: 1 }).catch((thrown) => thrown);
    const request = { method: "GET", path: "/api/channels/id/messages", final: true };
    expect(error).toMatchObject({ ...request, status: 401, text: "Invalid or expired token" });
    expect(String(error)).toContain(`(GET ${stack.edgeUrl}/api/channels/id/messages)`);
  });

  test("an error without an answer has the network's error as its cause", async () => {
    const { url, close } = await startObstacle(() => 503);
    await close();
    const client = createClient({ baseUrl: url, retries: 0 });
    const error: unknown = await client.users.me().catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 0, final: false, cause: { code: "ECONNREFUSED" } });
    expect(String(error)).toContain(`The server could not be reached: ECONNREFUSED (GET ${url}/`);
  });
});

test("a signal ends a request with its reason", async () => {
  const obstacle = await startObstacle(() => 503);
  try {
    const client = createClient({ baseUrl: obstacle.url, retries: 1_000, backoff: { baseMs: 1, maxMs: 1 } });
    const controller = new AbortController();
    const answer = client.servers.list({ signal: controller.signal });
    controller.abort(new Error("Changed my mind"));
    await expect(answer).rejects.toThrow("Changed my mind");
  } finally {
    await obstacle.close();
  }
});

test("an upload reports its progress", async () => {
  const client = createClient({ baseUrl: stack.edgeUrl });
  await client.register(account());
  const server = await client.servers.create({ name: "Pictures" });
  const channel = await client.channels.create(server.id, { name: "general" });
  const message = await client.messages.send(channel.id, { content: "Look" });
  const form = new FormData();
  form.append("files", new Blob([pngPixel, new Uint8Array(300_000)]), "large.png");
  const progress: { loaded: number; total: number }[] = [];
  const [attachment] = await client.attachments.upload(message.id, form, { onProgress: (next) => progress.push(next) });
  expect(attachment?.file_size).toBe(pngPixel.length + 300_000);
  const last = progress.at(-1);
  expect(progress.length).toBeGreaterThan(1);
  expect(last?.loaded).toBe(last?.total);
});

test("a rate limit is waited for, up to the client's patience", async () => {
  const obstacle = await startObstacle((count) => (count === 2 ? "forward" : 429));
  onTestFinished(() => void obstacle.close());
  const owner = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await owner.register(account());
  const tokens = owner.tokens ?? { accessToken: "", refreshToken: "" };
  const patient = createClient({ baseUrl: obstacle.url, tokens });
  expect((await patient.users.me()).id).toBe(id);
  expect(obstacle.count()).toBe(2);
  const hasty = createClient({ baseUrl: obstacle.url, tokens, rateLimitWaitMaxMs: 0 });
  await expect(hasty.users.me()).rejects.toMatchObject({ status: 429, final: false });
  expect(obstacle.count()).toBe(3);
});

test("a list longer than a page is read to its end", async () => {
  const client = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await client.register(account());
  const server = await client.servers.create({ name: "History", is_public: true });
  const channel = await client.channels.create(server.id, { name: "general" });
  const sent = Array.from({ length: 102 }, (_, count) => `needle ${count}`);
  await Promise.all(sent.map((content) => client.messages.send(channel.id, { content })));
  const contents: string[] = [];
  for await (const { content } of client.pages.messages(channel.id)) contents.push(content);
  expect(contents).toEqual(sent.toReversed());
  const found = new Set<string>();
  for await (const result of client.pages.search(server.id, { q: "needle", limit: 100 })) found.add(result.id);
  expect(found.size).toBe(102);
  const guest = createClient({ baseUrl: stack.edgeUrl });
  const guestId = (await guest.register(account())).id;
  await guest.servers.join(server.id);
  const members: string[] = [];
  for await (const member of client.pages.members(server.id, { limit: 1 })) members.push(member.user_id);
  expect(members).toEqual([id, guestId]);
});
