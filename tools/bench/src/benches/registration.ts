import { watchNetworkBans } from "@parley/auth";
import { connectDatabase } from "@parley/database";
import { bench } from "../bench.js";
import {
  check,
  clockMs,
  joined,
  median,
  percentile,
  percentilesInWords,
  ratio,
  report,
  sendSteadily,
  timer,
  upTo,
} from "../measure.js";
import { createPoster } from "../poster.js";
import { connectQuietServer, type QuietTimes } from "../quiet-server.js";
import { type BenchStack, withStack } from "../stack.js";

const sizes = {
  perSecond: 100,
  /** How often the small server is measured without the script and beside it, in turn, and how long each time. */
  turns: 3,
  turnSeconds: 8,
  bans: 10_000,
  requests: 200_000,
  rounds: 9,
};
const quick = { turns: 1, turnSeconds: 2, bans: 100, requests: 1_000, rounds: 1 };

/** Accounts that `auto` lets in within a minute before it asks for work: more than ten. */
const withoutWorkMax = 11;
/** And within an hour from one network. */
const ofNetworkMax = 3;

/**
 * A script that registers without work where the installation asks for it by itself, from one network and then from a new one each
 * time, while a small server writes; and what the bans of networks add to a request.
 */
export default bench({ sizes, quick }, async (chosen) => {
  for (const networks of ["one", "many"] as const)
    await withStack({ TRUST_PROXY: "loopback" }, (stack) => attack(stack, networks, chosen));
  await withStack({}, (stack) => measureBans(stack, chosen));
});

async function attack(stack: BenchStack, networks: "one" | "many", chosen: typeof sizes): Promise<void> {
  await stack.pool.query(`UPDATE instance_settings SET chosen = '{"registration": {"challenge": "auto"}}'`);
  const [api, gateway] = [await stack.start("api"), await stack.start("gateway")];
  const quiet = await connectQuietServer(stack, api, [gateway]);
  // The first requests warm up.
  await quiet.measure(timer(3_000));
  const times = { alone: [] as QuietTimes[], beside: [] as QuietTimes[] };
  const script = createScript(api.url, networks);
  const startedAt = clockMs();
  for (let turn = 0; turn < chosen.turns; turn += 1) {
    times.alone.push(await quiet.measure(timer(chosen.turnSeconds * 1_000)));
    const beside = await quiet.beside(() => script.run(chosen.perSecond, chosen.perSecond * chosen.turnSeconds));
    times.beside.push(beside.quiet);
  }
  quiet.close();
  const minutes = Math.ceil((clockMs() - startedAt) / 60_000);
  const { rows } = await stack.pool.query("SELECT count(*)::int AS made FROM users WHERE username LIKE 'script%'");
  const made = Number(rows[0]?.made);
  const allowed = networks === "one" ? ofNetworkMax : withoutWorkMax * minutes;
  report(
    `${chosen.perSecond} registrations a second without work, ${script.answered()} in all, from ${networks === "one" ? "one network" : "a network each"}:`,
  );
  report(`  ${made} accounts, of ${allowed} that need none: ${Math.max(0, made - allowed)} without work  (goal: 0)`);
  for (const what of ["postMs", "deliveredMs"] as const) {
    const [alone, beside] = [times.alone, times.beside].map((each) => joined(each.map((part) => part[what])));
    if (alone === undefined || beside === undefined) continue;
    report(
      `  other people, ${what === "postMs" ? "POST" : "delivered"}: alone ${percentilesInWords(alone)}; beside ${percentilesInWords(beside)}, ratio ${ratio(percentile(beside, 0.99), percentile(alone, 0.99), 1)}  (goal: 3)`,
    );
  }
}

/** Registers new names without work, whatever the answers are. */
function createScript(url: string, networks: "one" | "many") {
  const register = createPoster(url, 1_000);
  let [sent, answered] = [0, 0];
  return {
    answered: () => answered,
    run: (perSecond: number, count: number) =>
      sendSteadily({ perSecond, isDone: upTo(count) }, async () => {
        const n = sent++;
        const address = networks === "one" ? "203.0.113.7" : `10.${n >> 8}.${n & 255}.7`;
        const body = { username: `script_${n}`, password: "12345678" };
        await register("/auth/register", body, { "x-forwarded-for": address }).catch((error: Error) =>
          check("another refusal", error.message.includes("Solve the challenge first"), true),
        );
        answered += 1;
      }),
  };
}

/** Asks of addresses whether they are banned, as each request at an entrance does, in turns with bans and without. */
async function measureBans({ pool, databaseUrl }: BenchStack, { bans, requests, rounds }: typeof sizes): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const database = await connectDatabase({ url: databaseUrl, poolMax: 1, applicationName: "bench", logger });
  const networkBans = await watchNetworkBans({ database, logger });
  const addresses = Array.from({ length: requests }, (_, n) =>
    n % 2 === 0
      ? `${n % 224}.${(n >> 3) & 255}.${n & 255}.${(n >> 5) & 255}`
      : `2001:db8:${(n % 65_536).toString(16)}::${n & 255}`,
  );
  const micros = () => {
    let banned = 0;
    const from = performance.now();
    for (const address of addresses) if (networkBans.isBanned(address)) banned += 1;
    return { each: ((performance.now() - from) * 1_000) / requests, banned };
  };
  const times = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    await pool.query("DELETE FROM network_bans");
    await networkBans.refresh();
    times.without.push(micros().each);
    await pool.query(
      `INSERT INTO network_bans (cidr) SELECT CASE WHEN n % 2 = 0 THEN (n % 223 + 1) || '.' || n / 256 || '.' || n % 256 || '.0/24'
        ELSE '2001:db8:' || to_hex(n) || '::/48' END FROM generate_series(1, $1::int) n`,
      [bans],
    );
    await networkBans.refresh();
    const { each, banned } = micros();
    check("addresses that are banned", banned > 0, true);
    times.with.push(each);
  }
  await networkBans.close();
  await database.close();
  const [without, withBans] = [median(times.without), median(times.with)];
  report(`${bans} bans of networks, asked of ${requests} addresses, median of ${rounds}:`);
  report(
    `  ${withBans.toFixed(2)} µs a request, ${without.toFixed(2)} without bans: ${(withBans - without).toFixed(2)} more  (goal: 20)`,
  );
}
