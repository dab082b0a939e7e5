import { spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { errorTexts, invalidInput, type PictureShape, pictureSizes } from "@parley/contracts";
import { scaledBytesMax, scalerMaxMs, unreadableExitCode } from "./limits.js";

const program = fileURLToPath(new URL("./scaler-main.js", import.meta.url));
/** A few pictures' worth of garbage; the pictures themselves are outside of this heap. */
const heapMegabytesMax = 64;
const stderrBytesMax = 2_000;

/** Processes under way, which do not outlive this one. */
const running = new Set<{ kill(signal: "SIGKILL"): boolean }>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** How a picture's process ended: it was scaled, could not be read, or took too much and was ended. */
export type ScalerOutcome = "scaled" | "unreadable" | "ended";

/**
 * Scales the picture in a file, in a process of its own: a decoder that crashes, or that a picture makes take too much
 * time or memory, ends alone. The process has none of this one's environment, hence no secrets.
 *
 * @param options.mayMove whether an animated picture stays animated
 * @param options.shape what it is cut to; a thumbnail is the whole picture
 * @param options.onEnd called with the outcome
 * @param options.signal ends the process
 * @returns one WebP image for each size, the largest first; of a thumbnail one
 * @throws ServiceError 400 for a picture that cannot be read; Error when the program cannot run
 */
export async function runScaler(
  file: FileHandle,
  options: {
    mayMove: boolean;
    shape: PictureShape | "thumbnail";
    onEnd: (outcome: ScalerOutcome) => void;
    signal?: AbortSignal;
  },
): Promise<Buffer[]> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytesMax}`, program, options.mayMove ? "animated" : "still", options.shape],
    // Two arenas: by default the C library keeps eight for each processor, and uses little of them.
    { stdio: [file.fd, "pipe", "pipe"], env: { MALLOC_ARENA_MAX: "2", UV_THREADPOOL_SIZE: "2" } },
  );
  running.add(child);
  const timer = setTimeout(() => child.kill("SIGKILL"), scalerMaxMs);
  const end = () => child.kill("SIGKILL");
  options.signal?.addEventListener("abort", end);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [output, errors, code] = await Promise.all([
      readUpTo(child.stdout, scaledBytesMax * 2, end),
      readUpTo(child.stderr, stderrBytesMax),
      ended,
    ]);
    const scaled = code === 0 ? parse(output, options.shape === "thumbnail" ? 1 : pictureSizes.length) : null;
    if (scaled !== null) {
      options.onEnd("scaled");
      return scaled;
    }
    if (code !== null && code !== unreadableExitCode) {
      throw new Error(`the program that scales pictures ended with ${code}: ${errors.toString()}`);
    }
    options.onEnd(code === null ? "ended" : "unreadable");
    throw invalidInput(errorTexts.image_unreadable);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
    running.delete(child);
  }
}

/** The images that follow their lengths; null when the output is not that. */
function parse(output: Buffer, count: number): Buffer[] | null {
  const headerBytes = 4 * count;
  if (output.length < headerBytes) return null;
  const images: Buffer[] = [];
  let at = headerBytes;
  for (let index = 0; index < count; index++) {
    const length = output.readUInt32BE(4 * index);
    images.push(output.subarray(at, at + length));
    at += length;
  }
  return at === output.length && images.every(({ length }) => length > 0) ? images : null;
}

/** @param onMore called when there is more, which is skipped */
async function readUpTo(stream: Readable | null, bytesMax: number, onMore = () => {}): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    if (length <= bytesMax) kept.push(chunk);
    length += chunk.length;
    if (length > bytesMax) onMore();
  }
  return Buffer.concat(kept).subarray(0, bytesMax + 1);
}
