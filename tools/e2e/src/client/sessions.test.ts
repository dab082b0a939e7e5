import { createClient, type ParleyClient, type Tokens } from "@parley/client";
import { createGate, type SharedStack, sharedStack } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

const password = "correct horse";
const account = () => ({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password });

/** A fetch that reports each answer, before the client has it. */
const fetchWith =
  (onAnswer: (path: string) => Promise<void> | void): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    await onAnswer(new URL(String(input)).pathname);
    return answer;
  };

test("requests that the former session is refused for wait for the one that changes the password", async () => {
  const [changed, released] = [createGate(), createGate()];
  const told: (Tokens | null)[] = [];
  const client = createClient({
    baseUrl: stack.edgeUrl,
    onTokens: (tokens) => told.push(tokens),
    fetch: fetchWith(async (path) => {
      // The client has the refusal before it has the new tokens.
      if (path === "/api/auth/refresh") setImmediate(released.open);
      if (path !== "/api/auth/change-password") return;
      changed.open();
      await released.opened;
    }),
  });
  const { id } = await client.register(account());
  const changing = client.changePassword({ current_password: password, new_password: "battery staple" });
  await changed.opened;
  const [me] = await Promise.allSettled([client.users.me(), changing]);
  expect(me).toMatchObject({ status: "fulfilled", value: { id } });
  expect(told).not.toContain(null);
});

test("an ended session lets no change of the password wait for itself", async () => {
  const tokens = { accessToken: "expired", refreshToken: "unknown" };
  const client = createClient({ baseUrl: stack.edgeUrl, tokens });
  const changing = client.changePassword({ current_password: password, new_password: "battery staple" });
  await expect(changing).rejects.toMatchObject({ status: 401 });
  expect(client.tokens).toBeNull();
});

test("a password is changed with an access token that has expired", async () => {
  const first = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await first.register(account());
  const tokens = { accessToken: "expired", refreshToken: first.tokens?.refreshToken ?? "" };
  const client = createClient({ baseUrl: stack.edgeUrl, tokens });
  const change = { current_password: password, new_password: "battery staple" };
  expect(await client.changePassword(change)).toMatchObject({ id });
  expect(await client.users.me()).toMatchObject({ id });
});

test("a client whose access token has expired renews it before it connects, not after a refusal", async () => {
  const first = createClient({ baseUrl: stack.edgeUrl });
  const { id } = await first.register(account());
  const payload = btoa(JSON.stringify({ sub: id, exp: Math.floor(Date.now() / 1_000) - 60 }));
  const asked: string[] = [];
  const client = createClient({
    baseUrl: stack.edgeUrl,
    tokens: { accessToken: `e30.${payload}.x`, refreshToken: first.tokens?.refreshToken ?? "" },
    fetch: fetchWith((path) => {
      asked.push(path);
    }),
  });
  const gateway = client.gateway();
  await gateway.connect();
  // After a refusal it would have asked for the reason, too.
  expect(asked).toEqual(["/api/auth/refresh"]);
  await gateway.close();
});

test.each([
  ["a logout", "/api/auth/logout", (client: ParleyClient) => client.logout()],
  [
    "a change of the password",
    "/api/auth/change-password",
    (client: ParleyClient) => client.changePassword({ current_password: password, new_password: "battery staple" }),
  ],
])("%s whose answer comes after the next login leaves that one alone", async (_, path, ask) => {
  const [answered, released] = [createGate(), createGate()];
  const client = createClient({
    baseUrl: stack.edgeUrl,
    fetch: fetchWith(async (asked) => {
      if (asked !== path) return;
      answered.open();
      await released.opened;
    }),
  });
  await client.register(account());
  const asking = ask(client);
  await answered.opened;
  const next = await client.register(account());
  released.open();
  await asking;
  expect(await client.users.me()).toMatchObject({ id: next.id });
});

test("a request of one user is not repeated as the next user", async () => {
  const ann = createClient({ baseUrl: stack.edgeUrl });
  await ann.register(account());
  const { id: serverId } = await ann.servers.create({ name: "Chess club", is_public: true });
  const { id: channelId } = await ann.channels.create(serverId, { name: "general" });
  const bea = account();
  const second = createClient({ baseUrl: stack.edgeUrl });
  await second.register(bea);
  await second.servers.join(serverId);
  const [failed, released] = [createGate(), createGate()];
  let outages = 0;
  const shared = createClient({
    baseUrl: stack.edgeUrl,
    tokens: ann.tokens ?? { accessToken: "", refreshToken: "" },
    backoff: { baseMs: 1, maxMs: 1 },
    fetch: async (input, init) => {
      if (!String(input).endsWith("/messages") || ++outages > 1) return fetch(input, init);
      failed.open();
      await released.opened;
      return new Response("{}", { status: 503 });
    },
  });
  const sending = shared.messages.send(channelId, { content: "From Ann" }).catch((error: unknown) => error);
  await failed.opened;
  await shared.logout();
  await shared.login(bea);
  released.open();
  expect(await sending).toMatchObject({ status: 503 });
  expect(await second.messages.list(channelId)).toEqual([]);
});

test("the end of a session that two clients of a store notice is reported once to each", async () => {
  let kept: Tokens | null = null;
  const listeners: ((tokens: Tokens | null) => void)[] = [];
  const told: (Tokens | null)[][] = [];
  // As in a browser, a client gets notice of another one's write, also of one that changes nothing any more.
  const clients = [0, 1].map((number) => {
    const heard: (Tokens | null)[] = [];
    told.push(heard);
    return createClient({
      baseUrl: stack.edgeUrl,
      onTokens: (tokens) => heard.push(tokens),
      tokenStore: {
        read: () => kept,
        write(tokens) {
          kept = tokens;
          for (const [other, listener] of listeners.entries()) if (other !== number) listener(tokens);
        },
        onChange: (listener) => listeners.push(listener),
      },
    });
  });
  const [first, second] = clients;
  await first?.register(account());
  const tokens = first?.tokens;
  await createClient({ baseUrl: stack.edgeUrl, ...(tokens ? { tokens } : {}) }).logout();
  await Promise.allSettled([first?.logout(), second?.users.me()]);
  for (const heard of told) expect(heard).toEqual([tokens, null]);
});
