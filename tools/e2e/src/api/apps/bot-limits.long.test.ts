import { randomBytes } from "node:crypto";
import { errorBody } from "@parley/contracts";
import { createClient, startStack, type TestStack, waitUntil } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

/** Smaller than the defaults so that few requests reach them; the refill is one a second wherever it can be. */
const env = {
  RATE_LIMIT_REST_RPS: "1",
  RATE_LIMIT_REST_BURST: "20",
  RATE_LIMIT_BOT_RPS: "5",
  RATE_LIMIT_BOT_ADDRESS_RPS: "8",
  TRUST_PROXY: "127.0.0.1/32",
};
const restBurst = 20;
const tooMany = errorBody("Too many requests");
const generatedToken = () => `Bot ${randomBytes(32).toString("hex")}`;

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

/** Sends with this credential from this address, to one api after the other. */
function sender(stack: TestStack, address: string) {
  let sent = 0;
  return (authorization: string | null) => {
    const api = stack.apis[sent % stack.apis.length];
    sent += 1;
    const headers: Record<string, string> = { "x-forwarded-for": address };
    return createClient(api?.url ?? "", { authorization }).send("GET", "/users/@me", { headers });
  };
}

describe("at an address with a limit for its bots", () => {
  let stack: TestStack;
  beforeAll(async () => {
    // Its own: a limit is reached with few requests.
    stack = await startStack({ apis: 2, gateways: 0, env });
  });
  afterAll(() => stack?.stop());

  test("invalid bot tokens count against the address, and the database is asked no more once that is empty", async () => {
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    onTestFinished(() => database.end());
    const lookupsOf = async (isAlive: boolean) =>
      waitUntil(async () => {
        const { rows } = await database.query(
          `SELECT (SELECT count(*) FROM pg_stat_activity
               WHERE application_name LIKE 'parley-api%' AND datname = current_database()) AS alive,
             seq_scan + coalesce(idx_scan, 0) AS lookups FROM pg_stat_user_tables WHERE relname = 'bots'`,
        );
        const [row] = z.array(z.object({ alive: z.coerce.number(), lookups: z.coerce.number() })).parse(rows);
        return (isAlive || row?.alive === 0) && row?.lookups;
      });
    // A process reports its last statements to PostgreSQL's statistics when it ends.
    await Promise.all(stack.apis.map((api) => api.restart()));
    const before = await lookupsOf(true);
    const same = generatedToken();
    let [wrong, tokensMax] = [0, 0];
    for (const nextToken of [generatedToken, () => same]) {
      const send = sender(stack, freshAddress());
      const startedAt = performance.now();
      const answers = [];
      for (let n = 0; n < 10; n += 1) {
        answers.push(...(await Promise.all(Array.from({ length: 20 }, () => send(nextToken())))));
      }
      // Nobody is refused more tokens than time has brought back.
      const allowed = restBurst + Math.ceil((performance.now() - startedAt) / 1000);
      tokensMax += allowed;
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(answers.length - allowed);
      for (const { body, headers } of refused) {
        expect([body, headers.get("x-ratelimit-limit")]).toEqual([tooMany, String(restBurst)]);
        expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      }
      const unknown = answers.filter(({ status }) => status !== 429);
      wrong += unknown.length;
      for (const { status, body, headers } of unknown) {
        const text = "Invalid or revoked bot token";
        expect([status, body, headers.get("x-ratelimit-limit")]).toEqual([401, errorBody(text), "20"]);
      }
    }
    await Promise.all(stack.apis.map((api) => api.stop()));
    const lookups = (await lookupsOf(false)) - before;
    expect(lookups).toBeGreaterThanOrEqual(wrong);
    expect(lookups).toBeLessThanOrEqual(tokensMax);
  });
});
