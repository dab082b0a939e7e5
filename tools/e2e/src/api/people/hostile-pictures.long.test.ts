import { readFile } from "node:fs/promises";
import { errorBody } from "@parley/contracts";
import { createClient, startStack, type TestStack, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenPictures, foreignFiles, heavyPictures } from "./hostile-pictures.js";

/** Longer than the process of a picture may run, on a machine that does much else. */
const answerMaxMs = 45_000;
/**
 * Memory that all of them together may leave behind in the api; one picture of 20,000 x 20,000 pixels would take 400
 * MB.
 */
const growthBytesMax = 96 * 1024 * 1024;
/** How long anything else may take meanwhile. */
const neighbourMaxMs = 5_000;

let stack: TestStack;
let users: UserClient[];
let neighbour: UserClient;

beforeAll(async () => {
  // Its own: pictures load its api.
  stack = await startStack({ apis: 1, gateways: 0 });
  const client = createClient(stack.edgeUrl);
  // An account's own pictures have pauses between them.
  users = await Promise.all(Array.from({ length: 4 }, () => client.register()));
  neighbour = await client.register();
});
afterAll(() => stack?.stop());

const formOf = (bytes: Uint8Array) => {
  const form = new FormData();
  form.append("image", new Blob([Uint8Array.from(bytes)], { type: "image/png" }), "me.png");
  return form;
};

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${stack.apis[0]?.pid()}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Asks for something else all the time, until the signal. @returns the longest answer */
async function askMeanwhile(signal: AbortSignal): Promise<number> {
  let longestMs = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    expect((await neighbour.get("/users/@me")).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    // The pace of the questions, not a wait for anything.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return longestMs;
}

/** Uploads each file, some at a time. @returns the unexpected answers, by the kind of file */
async function uploadAll(files: readonly (readonly [string, Buffer])[], isExpected: (answer: unknown[]) => boolean) {
  const waiting = [...files];
  const wrong: unknown[] = [];
  const uploadNext = async (user: UserClient): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [what, bytes] = next;
      const startedAt = performance.now();
      const { status, body } = await user.send("POST", "/users/@me/avatar", { body: formOf(bytes) });
      const tookMs = performance.now() - startedAt;
      if (!isExpected([status, body]) || tookMs > answerMaxMs) wrong.push({ what, status, body, tookMs });
    }
  };
  await Promise.all(users.map(uploadNext));
  return wrong;
}

const refusal = (text: string) => (answer: unknown[]) =>
  JSON.stringify(answer) === JSON.stringify([400, errorBody(text)]);

test("files that are no pictures, broken pictures and bombs each cost an answer and nothing else", async () => {
  const before = await residentBytes();
  const done = new AbortController();
  const asking = askMeanwhile(done.signal);
  const broken = await brokenPictures();
  expect(foreignFiles.length + broken.length).toBeGreaterThan(40);
  try {
    expect(await uploadAll(foreignFiles, refusal("Image type is not allowed"))).toEqual([]);
    expect(
      await uploadAll(
        broken,
        (answer) => refusal("Image could not be read")(answer) || refusal("Image type is not allowed")(answer),
      ),
    ).toEqual([]);
    expect(await uploadAll(await heavyPictures(), ([status]) => status === 200 || status === 400)).toEqual([]);
  } finally {
    done.abort();
  }
  expect(await asking).toBeLessThan(neighbourMaxMs);
  expect((await residentBytes()) - before).toBeLessThan(growthBytesMax);
  expect(stack.apis[0]?.running()).toBe(true);
  expect(stack.output().filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
}, 300_000);
