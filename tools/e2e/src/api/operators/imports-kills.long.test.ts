import { createRandom, seed, startStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createAdminStage, runSql } from "../stages/admin-stage.js";
import { Import, importerOf, startImport, uploadArchive } from "../stages/import-stage.js";
import { madeExport, madeThing, packExport } from "../stages/made-export.js";

const channelCount = 60;
const messagesOfChannel = 50;
const killsWanted = 20;

/** Channels with threads, reactions and polls. */
function largeExport() {
  const made = madeExport(Array.from({ length: channelCount }, (_, at) => `channel ${at}`));
  const [ann, bob] = made.people;
  for (const { id } of made.channels) {
    const root = madeThing();
    const list = Array.from({ length: messagesOfChannel }, (_, at) => ({
      ...(at === 0 ? root : madeThing()),
      author_id: (at % 2 === 0 ? ann : bob)?.user_id,
      content: `message ${at}`,
      thread_id: at % 5 === 4 ? root.id : null,
      reactions: [{ emoji: "👍", people: [ann?.user_id, bob?.user_id] }],
      poll: at % 7 === 3 ? { question: "Q", options: [{ text: "a", votes: 1, voters: [bob?.user_id] }] } : null,
    }));
    made.messages.set(id, list);
  }
  return made;
}

test("an import whose processes are killed twenty times makes each thing once, and a second run adds nothing", {
  timeout: 540_000,
}, async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 0 });
  onTestFinished(stack.stop);
  const { admin } = await createAdminStage({ ...stack });
  const counts = async () =>
    z
      .array(z.record(z.string(), z.int()))
      .parse(
        await runSql(
          stack.databaseUrl,
          `SELECT ${[
            "channels",
            "messages",
            "reactions",
            "polls",
            "poll_votes",
            "threads",
            "import_items",
            "import_people",
          ]
            .map((table) => `(SELECT count(*)::integer FROM ${table}) AS ${table}`)
            .join(", ")}`,
        ),
      )[0];
  const archive = packExport(largeExport());
  const { id } = await uploadArchive(admin, archive, "large.zip");
  const now = async () => (await admin.get(`/admin/imports/${id}`)).expect(200, Import);
  const until = (state: string) =>
    waitUntil(async () => (await now()).state === state, { timeoutMs: 120_000, what: `the import to be ${state}` });
  await until("ready");
  await startImport(admin, id);

  const random = createRandom(seed);
  let kills = 0;
  let before = -1;
  const isOver = async () => {
    const { state, progress } = await now();
    if (state === "done" || kills >= killsWanted) return true;
    const pid = importerOf(id);
    // The process has stored a batch since the last kill: one that kills every process would let none end.
    if (pid === undefined || progress.messages === before) return false;
    const at = performance.now() + random() * 300;
    await waitUntil(() => performance.now() >= at, { what: "the next kill" });
    before = (await now()).progress.messages;
    kills += 1;
    if (kills % 10 === 0) {
      const victim = stack.apis[(kills / 10) % 2];
      await victim?.kill();
      await victim?.restart();
    } else if (importerOf(id) === pid) process.kill(pid, "SIGKILL");
    return false;
  };
  await waitUntil(isOver, { timeoutMs: 400_000, what: "twenty kills, or the end" });
  await until("done");
  expect(kills).toBeGreaterThan(3);
  const messages = channelCount * messagesOfChannel;
  const once = await counts();
  expect(once).toMatchObject({
    channels: channelCount,
    messages,
    reactions: 2 * messages,
    threads: channelCount,
    import_people: 2,
  });
  expect(once?.poll_votes).toBe(once?.polls);
  expect((await now()).progress).toMatchObject({ messages, of: messages });

  const again = await uploadArchive(admin, archive, "large.zip");
  const state = async () => (await admin.get(`/admin/imports/${again.id}`)).expect(200, Import).state;
  await waitUntil(async () => (await state()) === "ready", { timeoutMs: 60_000 });
  await startImport(admin, again.id);
  await waitUntil(async () => (await state()) === "done", { timeoutMs: 120_000 });
  expect(await counts()).toEqual(once);
});
