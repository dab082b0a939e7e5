import { createClient } from "@parley/client";
import { type SharedStack, sharedStack, startStack } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

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

test("a rate limit is waited for, up to the client's patience", async () => {
  // Its own: with the least limits.
  const strict = await startStack({ gateways: 0, env: { RATE_LIMIT_REST_RPS: "2", RATE_LIMIT_REST_BURST: "2" } });
  try {
    const { counts, fetch } = countingFetch();
    const client = createClient({ baseUrl: strict.edgeUrl, fetch });
    await client.register(account());
    await client.users.me();
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.users.me()));
    expect(answers).toHaveLength(6);
    expect(counts.get("/api/users/@me")).toBeLessThanOrEqual(8);
    const late = Array.from({ length: 8 }, () => client.users.me({ deadlineMs: 1_500 }));
    const refused = (await Promise.allSettled(late)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(2);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { name: "ParleyError", final: false } });
    expect(String(Object(refused.at(-1)).reason)).toMatch(/ s of waiting for the rate limit \(GET /);
    const hasty = createClient({
      baseUrl: strict.edgeUrl,
      tokens: client.tokens ?? { accessToken: "", refreshToken: "" },
      rateLimitWaitMaxMs: 0,
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => hasty.users.me()));
    expect(outcomes).toContainEqual({ status: "rejected", reason: expect.objectContaining({ status: 429 }) });
  } finally {
    await strict.stop();
  }
});

test("long lists are read page by page", async () => {
  const client = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await client.register(account());
  const server = await client.servers.create({ name: "History", is_public: true });
  const channel = await client.channels.create(server.id, { name: "general" });
  for (let count = 0; count < 205; count += 1) await client.messages.send(channel.id, { content: `needle ${count}` });
  const contents: string[] = [];
  for await (const { content } of client.pages.messages(channel.id)) contents.push(content);
  expect(contents).toEqual(Array.from({ length: 205 }, (_, count) => `needle ${204 - count}`));
  const [newest] = await client.messages.list(channel.id, { limit: 1 });
  const [, oldest] = (await client.messages.list(channel.id, { before: newest?.id ?? "", limit: 100 })).toReversed();
  const later: string[] = [];
  const after = { after: oldest?.id ?? "", include: "reactions" } as const;
  for await (const { content, reactions } of client.pages.messages(channel.id, after)) {
    expect(reactions).toEqual([]);
    later.push(content);
  }
  expect(later).toEqual(Array.from({ length: 99 }, (_, count) => `needle ${106 + count}`));
  const since: string[] = [];
  for await (const { id: read } of client.pages.messages(channel.id, { since: oldest?.created_at ?? "" })) {
    since.push(read);
  }
  expect([since.includes(oldest?.id ?? ""), since.at(-1)]).toEqual([true, newest?.id]);
  expect(since.length).toBeGreaterThanOrEqual(100);
  const entries: string[] = [];
  for await (const { action } of client.pages.auditLog(server.id)) entries.push(action);
  expect(entries).toContain("channel_create");
  const replies: string[] = [];
  for (let count = 0; count < 102; count += 1) {
    await client.threads.reply(channel.id, newest?.id ?? "", { content: `reply ${count}` });
  }
  for await (const { content } of client.pages.threads(channel.id, newest?.id ?? "")) replies.push(content);
  expect(replies).toEqual(Array.from({ length: 102 }, (_, count) => `reply ${count}`));
  const found = new Set<string>();
  for await (const result of client.pages.search(server.id, { q: "needle", limit: 100 })) found.add(result.id);
  expect(found.size).toBe(205);
  const guest = createClient({ baseUrl: stack.edgeUrl });
  const guests: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    guests.push((await guest.register(account())).id);
    await guest.servers.join(server.id);
  }
  const members: string[] = [];
  for await (const member of client.pages.members(server.id, { limit: 1 })) members.push(member.user_id);
  expect(members).toEqual([id, ...guests]);
});
