import { fstatSync, readSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { scalerBytesMax, scalerCpuMaxMs, scalerMaxMs, unreadableExitCode } from "./limits.js";

// A process of its own, which reads one picture of a stranger from its standard input, writes its sizes to its standard
// output and ends (see run-scaler.ts).

/** Interval of the check of its own time and memory. */
const watchIntervalMs = 10;
/** As of `nice`: on a busy processor it gets a third of the time of a process without one. */
const niceness = 5;

// Requests come first.
setPriority(niceness);
try {
  // A machine that is short of memory may end this process first.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Only Linux has it.
}
// A decoder runs in threads that cannot be ended, and that an ordinary exit would wait for.
const end = () => process.kill(process.pid, "SIGKILL");
setTimeout(end, scalerMaxMs);
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > scalerBytesMax || (user + system) / 1000 > scalerCpuMaxMs) end();
}, watchIntervalMs);

const { makeThumbnail, scalePicture } = await import("./scale-picture.js");
const mayMove = process.argv[2] === "animated";
const shape = process.argv[3];
const picture = Buffer.alloc(fstatSync(0).size);
// From its beginning: the process that wrote the file shares its position.
readSync(0, picture, 0, picture.length, 0);
const scale = async () =>
  shape === "thumbnail"
    ? [await makeThumbnail(picture)]
    : scalePicture(picture, { mayMove, shape: shape === "banner" ? "banner" : "square" });
const scaled = await scale().catch(() => null);
if (scaled === null) process.exit(unreadableExitCode);
const lengths = Buffer.alloc(4 * scaled.length);
for (const [index, { length }] of scaled.entries()) lengths.writeUInt32BE(length, 4 * index);
process.stdout.write(Buffer.concat([lengths, ...scaled]), () => process.exit());
