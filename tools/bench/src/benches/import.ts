import { setTimeout as pause } from "node:timers/promises";
import { zipOf } from "@parley/testing/zips";
import { z } from "zod";
import { bench } from "../bench.js";
import { findImporter, madeArchive } from "../imports/made-archive.js";
import { check, clockMs, percentile, percentilesInWords, ratio, report, timer } from "../measure.js";
import { createOthers } from "../others.js";
import { createPoster } from "../poster.js";
import { familyCpuSeconds, memoryOf } from "../processes.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom } from "../world.js";

const Import = z.object({
  id: z.string(),
  state: z.string(),
  error: z.string().nullable(),
  server_id: z.string().nullable(),
  progress: z.object({ messages: z.int(), files: z.int() }),
});
const aloneMs = 10_000;
const lookMs = 250;

/**
 * One archive of this service: how long its reading and its writing take, the memory of the process that does it, and the
 * messages of others before and beside. A second run of the same archive adds nothing.
 */
export default bench(
  {
    sizes: { messages: 1_000_000, reactions: 100_000, files: 20_000 },
    quick: { messages: 2_000, reactions: 200, files: 20 },
  },
  (sizes) =>
    withStack({}, async (stack) => {
      const api = await stack.start("api");
      const room = await createRoom(stack.pool, 2);
      const [admin = "", author = ""] = room.userIds;
      await stack.pool.query("UPDATE users SET is_admin = true WHERE id = $1", [admin]);
      const others = createOthers(api.url, { channelId: room.channelId, headers: stack.headers(author) });
      const archive = zipOf(madeArchive(sizes));
      report(
        `${sizes.messages} messages, ${sizes.reactions} reactions, ${sizes.files} files: ${(archive.length / 1e6).toFixed(0)} MB`,
      );
      const alone = await others(timer(sizes.messages < 10_000 ? 1_000 : aloneMs));
      report(`messages of others alone: ${percentilesInWords(alone)}`);

      let isOver = false;
      const beside = others(() => isOver);
      const processes = { "api and importer": api, PostgreSQL: stack.servers.postgres };
      const used = () => Promise.all(Object.values(processes).map(({ pid }) => familyCpuSeconds(pid())));
      const before = await used();
      const done = await importer(stack, { url: api.url, admin, archive })().finally(() => {
        isOver = true;
      });
      const seconds = (await used()).map((now, index) => now - (before[index] ?? 0));
      const shares = Object.keys(processes).map((name, index) => `${seconds[index]?.toFixed(1)} s of ${name}`);
      report(`processor time, with the messages of others: ${shares.join(", ")}`);
      const meanwhile = await beside;
      report(
        `meanwhile: ${percentilesInWords(meanwhile)}, p99 ${ratio(percentile(meanwhile, 0.99), percentile(alone, 0.99))} times  (goal: 3)`,
      );
      const count = async () =>
        z
          .array(z.object({ count: z.int() }))
          .parse(
            (
              await stack.pool.query("SELECT count(*)::integer AS count FROM messages WHERE server_id = $1", [
                done.server_id,
              ])
            ).rows,
          )[0]?.count;
      check("messages stored", await count(), sizes.messages);
      check("files stored", done.progress.files, sizes.files);
      const again = await importer(stack, { url: api.url, admin, archive })();
      check("server of the second run", again.server_id, done.server_id);
      check("messages after the second run", await count(), sizes.messages);
    }),
);

/** Runs an import from the upload to its end, and prints how long each part takes, and its memory. */
function importer(stack: BenchStack, { url, admin, archive }: { url: string; admin: string; archive: Buffer }) {
  const headers = stack.headers(admin);
  const post = createPoster(url);
  const now = async (id: string) => {
    const answer = await fetch(`${url}/admin/imports/${id}`, { headers });
    return Import.parse(await answer.json());
  };
  return async () => {
    const memory: number[] = [];
    const until = async (id: string, state: string) => {
      for (;;) {
        const found = await now(id);
        if (found.state === state) return found;
        if (found.state === "failed") throw new Error(`the import failed: ${found.error}`);
        const pid = await findImporter(id);
        if (pid !== undefined) memory.push((await memoryOf(pid)).resident);
        await pause(lookMs);
      }
    };
    const form = new FormData();
    form.append("archive", new Blob([new Uint8Array(archive)]), "bench.zip");
    const times = [clockMs()];
    const uploaded = await fetch(`${url}/admin/imports`, { method: "POST", headers, body: form });
    const { id } = Import.parse(await uploaded.json());
    times.push(clockMs());
    await until(id, "ready");
    times.push(clockMs());
    await post(`/admin/imports/${id}/start`, {}, headers);
    const done = await until(id, "done");
    times.push(clockMs());
    const [upload, read, written] = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000);
    const sorted = memory.filter((bytes) => bytes > 0);
    const shown = [0.1, 0.25, 0.5, 0.75, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
    report(
      `upload ${upload?.toFixed(1)} s, reading ${read?.toFixed(1)} s, writing ${written?.toFixed(1)} s: ${(done.progress.messages / ((read ?? 0) + (written ?? 0))).toFixed(0)} messages/s`,
    );
    report(
      `memory of its process, over its time: ${shown.map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(", ")} MiB, at most ${(Math.max(0, ...sorted) / 2 ** 20).toFixed(0)}  (goal: 300)`,
    );
    return done;
  };
}
