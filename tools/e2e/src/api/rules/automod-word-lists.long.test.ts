import { createClient, startStack, type TestStack } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedServer, filtered, type GuardedServer } from "../stages/automod-stage.js";

let stack: TestStack;
let database: pg.Client;

beforeAll(async () => {
  // As long as clients wait by default, and a reserve for a busy machine.
  stack = await startStack({ apis: 1, gateways: 0, automods: 2, env: { AUTOMOD_TIMEOUT_MS: "1500" } });
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});

const filter = { word_filter_enabled: true, word_filter_action: "delete" };
const changeWords = async ({ server }: GuardedServer, change: string, values: readonly unknown[] = []) => {
  await database.query(change, [server.id, ...values]);
  await database.query("UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1", [
    server.id,
  ]);
};
/** Words of a hundred characters outside the basic plane, the longest that there are. */
const seed = (guarded: GuardedServer, count: number) =>
  changeWords(
    guarded,
    `INSERT INTO automod_words (server_id, word)
      SELECT $1, translate(md5(n::text) || md5((n + 1)::text) || md5((n + 2)::text) || '0123', '0123456789abcdef', $3)
      FROM generate_series(1, $2) n`,
    [count, "😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏"],
  );

test("a list at the cap that changes all the time lets no other server's forbidden message through", async () => {
  const client = createClient(stack.edgeUrl);
  const hostile = await createGuardedServer(client, filter, ["spam"]);
  const quiet = await createGuardedServer(client, filter, ["forbidden"]);
  await seed(hostile, 990);
  expect(await quiet.send("forbidden")).toEqual(filtered);

  for (let round = 0; round < 12; round += 1) {
    await changeWords(hostile, "INSERT INTO automod_words (server_id, word) VALUES ($1, $2)", [`new${round}`]);
    const posted = hostile.send(`a message ${round}`);
    for (let n = 0; n < 3; n += 1) expect(await quiet.send(`forbidden ${round} ${n}`)).toEqual(filtered);
    await posted;
  }
  for (const { url } of stack.automods) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const resident = Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1]);
    expect(resident).toBeLessThan(400 * 1024 * 1024);
  }
  // The list works, its newest word and its first one alike.
  expect(await hostile.send("this is new11")).toEqual(filtered);
  expect(await hostile.send("spam and new3")).toEqual(filtered);
  const [latest] = await hostile.logs();
  expect(latest?.matched_term).toBe("spam");
});
