import type { ServerProcess } from "@parley/local-stack";
import { createClient, type RestClient, useMortalStack, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const BotWithToken = z.object({ bot: z.object({ id: z.string() }), token: z.string() });
/** Smaller than the defaults so that few requests reach them; the refill is one a second wherever it can be. */
const env = {
  RATE_LIMIT_REST_RPS: "1",
  RATE_LIMIT_REST_BURST: "20",
  RATE_LIMIT_BOT_RPS: "5",
  RATE_LIMIT_BOT_ADDRESS_RPS: "8",
  TRUST_PROXY: "127.0.0.1/32",
};
const tooManyOfBot = { error: "Bot rate limit exceeded. Max 50 requests/second." };

const mortal = useMortalStack();
interface Apis {
  readonly apis: readonly ServerProcess[];
}
/** Two apis with these limits. */
const startApis = async (env: Record<string, string>): Promise<Apis> => ({
  apis: await Promise.all([mortal.stack.startApi({ env }), mortal.stack.startApi({ env })]),
});

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

/** Sends with this credential from this address, to one api after the other. */
function sender(stack: Apis, address: string) {
  let sent = 0;
  return (authorization: string | null) => {
    const api = stack.apis[sent % stack.apis.length];
    sent += 1;
    const headers: Record<string, string> = { "x-forwarded-for": address };
    return createClient(api?.url ?? "", { authorization }).send("GET", "/users/@me", { headers });
  };
}

/** So many bots, each made from an address of its own; none of them has sent anything yet. */
async function createBots(
  stack: Apis,
  count: number,
): Promise<{ id: string; credential: string; owner: RestClient }[]> {
  const owner = await createClient(stack.apis[0]?.url ?? "").register();
  const bots = [];
  for (let n = 0; n < count; n += 1) {
    const headers = { "x-forwarded-for": freshAddress() };
    const client = createClient(stack.apis[0]?.url ?? "", { authorization: `Bearer ${owner.accessToken}` });
    const answer = await client.send("POST", "/bots", { body: { name: "Bot" }, headers });
    const { bot, token } = answer.expect(201, BotWithToken);
    bots.push({ id: bot.id, credential: `Bot ${token}`, owner });
  }
  return bots;
}

describe("at an address with a limit for its bots", () => {
  let stack: Apis;
  beforeAll(async () => {
    stack = await startApis(env);
  });

  test("the bots behind one address have a limit together, on all apis, refused with the bot's own body", async () => {
    const bots = await createBots(stack, 6);
    const send = sender(stack, freshAddress());
    // Five each is the limit of each, so a refusal comes from the others at the address.
    const answers = await Promise.all(
      bots.flatMap(({ credential }) => Array.from({ length: 5 }, () => send(credential))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body).toEqual(tooManyOfBot);
      expect(headers.get("retry-after")).toBeNull();
      expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["5", "0"]);
    }
    const [bot] = await createBots(stack, 1);
    const elsewhere = sender(stack, freshAddress());
    expect((await elsewhere(bot?.credential ?? null)).status).toBe(200);
  });
});

describe("bots", () => {
  let stack: Apis;
  beforeAll(async () => {
    stack = await startApis({ ...env, RATE_LIMIT_BOT_ADDRESS_RPS: "1000" });
  });

  test("bots are heard at an address whose own requests and invalid tokens have used up its bucket", async () => {
    const [bot] = await createBots(stack, 1);
    const send = sender(stack, freshAddress());
    await waitUntil(async () => (await send(null)).status === 429);
    const answer = await send(bot?.credential ?? null);
    expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "5"]);
  });

  test("bots that start at once at one address do not refuse each other", async () => {
    const bots = await createBots(stack, 25);
    const send = sender(stack, freshAddress());
    const answers = await Promise.all(bots.flatMap(({ credential }) => [send(credential), send(credential)]));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  test("bots that send much at once get their own 429 first, never that of the address", async () => {
    const [bot] = await createBots(stack, 1);
    const send = sender(stack, freshAddress());
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(bot?.credential ?? null)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    for (const { status, body } of answers) if (status !== 200) expect([status, body]).toEqual([429, tooManyOfBot]);
  });

  test("bots that are revoked are refused from the next request on, however often they were heard", async () => {
    const [bot] = await createBots(stack, 1);
    const send = sender(stack, freshAddress());
    for (let n = 0; n < 4; n += 1) expect((await send(bot?.credential ?? null)).status).toBe(200);
    const headers = { "x-forwarded-for": freshAddress() };
    expect((await bot?.owner.send("DELETE", `/bots/${bot.id}`, { headers }))?.status).toBe(204);
    for (let n = 0; n < 4; n += 1) expect((await send(bot?.credential ?? null)).status).toBe(401);
  });

  test("a bot's limit counts token and JWT together and not the address, with a body of its own and no Retry-After", async () => {
    const edge = createClient(stack.apis[0]?.url ?? "");
    const owner = await edge.register();
    const { token } = (await owner.post("/bots", { name: "Busy" })).expect(201, BotWithToken);
    const bearer = (await edge.withAuthorization(`Bot ${token}`).post("/bots/connect")).expect(
      200,
      z.strictObject({ access_token: z.string() }),
    );
    const credentials = [`Bot ${token}`, `Bearer ${bearer.access_token}`];
    const answers = await waitUntil(async () => {
      const requests = Array.from({ length: 30 }, (_, n) => credentials[n % 2] ?? null);
      const batch = await Promise.all(requests.map((each) => edge.withAuthorization(each).get("/users/@me")));
      const refused = batch.map(({ status }, n) => (status === 429 ? n % 2 : -1));
      return refused.includes(0) && refused.includes(1) && batch;
    });
    for (const { status, body, headers } of answers) {
      expect(headers.get("x-ratelimit-limit")).toBe("5");
      if (status !== 429) continue;
      expect(body).toEqual(tooManyOfBot);
      expect(headers.get("retry-after")).toBeNull();
    }
    expect((await owner.get("/users/@me")).status).toBe(200);
  });
});
