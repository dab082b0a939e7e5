import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
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
  reportHead,
  reportRow,
  timer,
} from "../measure.js";
import { createOthers } from "../others.js";
import { createPoster } from "../poster.js";
import { cpuSeconds, memoryOf } from "../processes.js";
import { startProgram } from "../program.js";
import { withStack } from "../stack.js";
import type { Uploader } from "../uploader.js";
import { createRoom } from "../world.js";

/** The largest file that a message may have. */
const fileBytes = 50 * 1024 * 1024;
const aloneMs = 5_000;
const lookMs = 20;

/** The largest files, several at once, which come as fast as the api takes them: its memory, and the messages of others beside. */
export default bench({ sizes: { atOnce: 10, rounds: 5 }, quick: { atOnce: 2, rounds: 1 } }, ({ atOnce, rounds }) =>
  withStack({}, async (stack) => {
    const api = await stack.start("api");
    const { channelId, userIds } = await createRoom(stack.pool, atOnce + 1);
    const [other = "", ...people] = userIds;
    const post = createPoster(api.url);
    const others = createOthers(api.url, { channelId, headers: stack.headers(other) });
    const uploader = startProgram<Uploader>("uploader");
    const upload = async (person: string) => {
      const headers = stack.headers(person);
      const message = Message.parse(await post(`/channels/${channelId}/messages`, { content: "a file" }, headers));
      const url = `${api.url}/messages/${message.id}/attachments`;
      check("the answer to an upload", await uploader.call("upload", { url, headers, bytes: fileBytes }), 201);
    };
    const round = async (count: number) => {
      let isOver = false;
      const isDone = () => isOver;
      const [before, cpuBefore, from] = [await memoryOf(api.pid()), await cpuSeconds(api.pid()), clockMs()];
      const [beside, most] = [others(isDone), mostMemory(api.pid(), isDone)];
      await Promise.all(people.slice(0, count).map(upload)).finally(() => {
        isOver = true;
      });
      const seconds = (clockMs() - from) / 1_000;
      const cpu = (await cpuSeconds(api.pid())) - cpuBefore;
      return { seconds, cpu: cpu / count, more: (await most) - before.resident, times: await beside };
    };
    const alone = await others(timer(aloneMs));
    report(`messages of others alone: ${percentilesInWords(alone)}`);
    reportHead(["at once", "MB/s", "processor s each", "memory more, MB", "p50/p99 of others, ms", "p99 to alone"]);
    for (const count of [1, atOnce]) {
      const done: Awaited<ReturnType<typeof round>>[] = [];
      while (done.length < rounds) done.push(await round(count));
      const of = (value: (each: (typeof done)[number]) => number) => median(done.map(value));
      const beside = joined(done.map(({ times }) => times));
      const megabytes = (fileBytes * count) / 1e6;
      reportRow([
        count,
        of(({ seconds }) => megabytes / seconds).toFixed(0),
        of(({ cpu }) => cpu).toFixed(2),
        (Math.max(...done.map(({ more }) => more)) / 1e6).toFixed(0),
        `${percentile(beside, 0.5).toFixed(1)} / ${percentile(beside, 0.99).toFixed(1)}`,
        ratio(percentile(beside, 0.99), percentile(alone, 0.99)),
      ]);
    }
    await uploader.stop();
    report("goals: 60 MB more, and p99 of others at most 2 times");
  }),
);

/** The most resident memory of a process until then, in bytes. */
async function mostMemory(pid: number, isDone: () => boolean): Promise<number> {
  let most = 0;
  while (!isDone()) {
    most = Math.max(most, (await memoryOf(pid)).resident);
    await pause(lookMs);
  }
  return most;
}
