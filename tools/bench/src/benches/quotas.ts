import { bench } from "../bench.js";
import { check, median, repeat, report, timeOf } from "../measure.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom, type Room } from "../world.js";

const sizes = { uploads: 400, bytes: 1_000_000, apis: 4, attempts: 400, racedBytes: 100_000, lanes: 32 };
const quick = { uploads: 2, apis: 2, attempts: 20 };

/** All quotas of the settings, and none. */
const settings = {
  on: { account: 1e12, server: 1e12, installation: 1e12 },
  off: { account: null, server: null, installation: null },
};

/** Uploads with quotas and without, in turns; then accounts fill one quota over several apis at once. */
export default bench({ sizes, quick }, (chosen) =>
  withStack({}, async (stack) => {
    const apis = [await stack.start("api")];
    const world = await createRoom(stack.pool, 2);
    await measureCost(stack, apis[0]?.url ?? "", world, chosen);
    while (apis.length < chosen.apis) apis.push(await stack.start("api"));
    await race(
      stack,
      apis.map(({ url }) => url),
      world,
      chosen,
    );
  }),
);

/** Sends a message with a file. @returns the status of the answer */
async function upload(url: string, { channelId }: Room, headers: Record<string, string>, file: Blob): Promise<number> {
  const body = new FormData();
  body.append("payload_json", "{}");
  body.append("files", file, "bench.txt");
  const answer = await fetch(`${url}/channels/${channelId}/messages`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

async function setQuotas({ pool }: BenchStack, quota: object): Promise<void> {
  await pool.query("UPDATE instance_settings SET chosen = $1", [{ quota }]);
}

async function measureCost(stack: BenchStack, url: string, room: Room, { uploads, bytes }: typeof sizes) {
  const headers = stack.headers(room.userIds[0] ?? "");
  const file = new Blob([Buffer.alloc(bytes, "x")]);
  const times = { on: [] as number[], off: [] as number[] };
  for (let n = 0; n < 20 + uploads; n += 1) {
    for (const which of n % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
      await setQuotas(stack, settings[which]);
      const took = await timeOf(async () => check("status of an upload", await upload(url, room, headers, file), 201));
      // The first ones warm up.
      if (n >= 20) times[which].push(took);
    }
  }
  const [on, off] = [median(times.on), median(times.off)];
  report(
    `an upload of ${bytes} bytes, median of ${uploads}: ${on.toFixed(2)} ms with quotas, ${off.toFixed(2)} ms without, ${((on / off - 1) * 100).toFixed(1)} % more  (goal: 3)`,
  );
}

async function race(stack: BenchStack, urls: readonly string[], room: Room, chosen: typeof sizes): Promise<void> {
  const { attempts, racedBytes, lanes } = chosen;
  await setQuotas(stack, settings.off);
  const racer = room.userIds[1] ?? "";
  // Half of the attempts fit, and half a file is left.
  const quota = racedBytes * Math.floor(attempts / 2) + racedBytes / 2;
  await stack.pool.query("INSERT INTO account_quotas (user_id, quota) VALUES ($1, $2)", [racer, quota]);
  const headers = stack.headers(racer);
  const file = new Blob([Buffer.alloc(racedBytes, "x")]);
  let accepted = 0;
  await repeat(attempts, lanes, async (n) => {
    const status = await upload(urls[n % urls.length] ?? "", room, headers, file);
    if (status === 201) accepted += 1;
    else check("status of a refusal", status, 400);
  });
  const use = await fetch(`${urls[0]}/users/@me/storage`, { headers });
  const { used } = Object(await use.json());
  report(
    `${attempts} uploads of ${racedBytes} bytes by ${lanes} at once over ${urls.length} apis: ${accepted} accepted, ${accepted * racedBytes} bytes of a quota of ${quota}`,
  );
  check("bytes that the account has", used, accepted * racedBytes);
  check("accepted uploads", accepted, Math.floor(quota / racedBytes));
}
