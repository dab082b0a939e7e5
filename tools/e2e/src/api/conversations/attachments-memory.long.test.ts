import { access, readFile, writeFile } from "node:fs/promises";
import { Attachment } from "@parley/contracts";
import { postMessage, startS3, type TestS3 } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { acceptedFiles } from "../stages/sample-files.js";
import { startUploadStage, type UploadStage, upload } from "../stages/upload-stage.js";

const largest = 50 * 1024 * 1024;
const mayGrow = 16 * 1024 * 1024;

let s3: TestS3;
let stages: Record<"a directory" | "S3", UploadStage>;

beforeAll(async () => {
  s3 = await startS3();
  const [directory, bucket] = await Promise.all([
    startUploadStage({ apis: 1 }),
    startUploadStage({ apis: 1, env: s3.env }),
  ]);
  stages = {
    "a directory": directory,
    S3: bucket,
  };
});
afterAll(async () => {
  for (const stage of Object.values(stages ?? {})) await stage.stop();
  await s3?.stop();
});

/** Linux keeps the peak of a process and forgets it on demand. */
async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

async function memoryOf(pid: number, field: "VmHWM" | "VmRSS"): Promise<number> {
  const [, kilobytes = ""] =
    new RegExp(`${field}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const canMeasure = await access("/proc/self/clear_refs").then(
  () => true,
  () => false,
);
if (!canMeasure) process.stderr.write("Not measured: the memory of an upload, which only Linux tells.\n");

const mp4 = acceptedFiles.find(({ mime }) => mime === "video/mp4")?.bytes ?? Buffer.alloc(0);
const video = Buffer.concat([mp4, Buffer.alloc(largest - mp4.length)]);
const text = Buffer.alloc(largest, "füllt ");

test.runIf(canMeasure).each([
  ["a directory", "a video", video],
  ["a directory", "text", text],
  ["S3", "a video", video],
  ["S3", "text", text],
] as const)("in %s, %s of 50 MB raises the memory of the api by at most 16 MB", async (storage, _, bytes) => {
  const { owner, channel, stack } = stages[storage];
  const pid = stack.apis[0]?.pid() ?? 0;
  const send = async (bytes: Uint8Array) => {
    const { id } = await postMessage(owner, channel.id, "large");
    const [attachment] = (await upload(owner, id, [{ name: "large", bytes }])).expect(201, z.array(Attachment));
    expect(attachment?.file_size).toBe(bytes.length);
  };
  // The first upload loads and compiles code, whatever its size.
  await send(bytes.subarray(0, 1024 * 1024));
  const growths: number[] = [];
  for (let uploads = 0; uploads < 3; uploads += 1) {
    const before = await memoryOf(pid, "VmRSS");
    await forgetPeak(pid);
    await send(bytes);
    growths.push((await memoryOf(pid, "VmHWM")) - before);
  }
  // Garbage that was not collected yet adds to some uploads; a file held in memory would to each.
  expect(Math.min(...growths)).toBeLessThan(mayGrow);
});
