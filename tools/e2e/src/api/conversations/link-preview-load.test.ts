import { createClient, type SharedStack, sharedStack, type UserClient, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PreviewStage, previewFor, startPreviewStage } from "../stages/link-preview-stage.js";

let stack: SharedStack;
let stage: PreviewStage;
let web: PreviewStage["web"];

beforeAll(async () => {
  stack = await sharedStack();
  stage = await startPreviewStage(stack);
  ({ web } = stage);
});
afterAll(async () => {
  stage?.close();
});

/** Asks for a preview and closes the connection when the signal aborts. */
const askUntil = (signal: AbortSignal | undefined, url: string, { baseUrl, accessToken }: UserClient) =>
  fetch(`${baseUrl}/link-preview?url=${encodeURIComponent(url)}`, {
    headers: { authorization: `Bearer ${accessToken}` },
    ...(signal === undefined ? {} : { signal }),
  });

describe("many previews at once", () => {
  test("many previews of one page at once fetch it once in each process", async () => {
    const page = web.hold("shared");
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const readers = await Promise.all(Array.from({ length: 10 }, () => api.register()));
    const answers = readers.map((reader) => previewFor(page.url, reader));
    await waitUntil(() => page.isAsked());
    page.release();
    for (const answer of await Promise.all(answers)) expect(answer.title).toBe("shared");
    expect(web.timesAsked(page.url)).toBe(1);
  });

  test("many previews of one user at once take four places, and leave the others to others", async () => {
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const [greedy, other] = [await api.register(), await api.register()];
    const slow = Array.from({ length: 5 }, (_, n) => web.hold(`slow ${n}`));
    const answers = slow.map(({ url }) => previewFor(url, greedy));
    await waitUntil(() => slow.filter(({ isAsked }) => isAsked()).length === 4);
    expect((await previewFor(web.publish("<title>quick</title>"), other)).title).toBe("quick");
    expect(slow.filter(({ isAsked }) => isAsked())).toHaveLength(4);
    for (const page of slow) page.release();
    await waitUntil(() => slow.every(({ isAsked }) => isAsked()));
    for (const page of slow) page.release();
    expect((await Promise.all(answers)).map(({ title }) => title)).toEqual(slow.map((_, n) => `slow ${n}`));
  });

  test("many previews of one user at once do not hold up another one who asks for a page that they wait for", async () => {
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const [greedy, other] = [await api.register(), await api.register()];
    const slow = Array.from({ length: 4 }, (_, n) => web.hold(`slow ${n}`));
    const wanted = web.hold("wanted by both");
    const answers = slow.map(({ url }) => previewFor(url, greedy));
    await waitUntil(() => slow.every(({ isAsked }) => isAsked()));
    answers.push(previewFor(wanted.url, greedy));
    // Refused before it waits for a turn, and sent after the other request.
    expect((await greedy.get("/link-preview?url=no-address")).status).toBe(400);
    expect(wanted.isAsked()).toBe(false);
    answers.push(previewFor(wanted.url, other));
    await waitUntil(() => wanted.isAsked());
    wanted.release();
    expect((await answers.at(-1))?.title).toBe("wanted by both");
    for (const page of slow) page.release();
    expect((await Promise.all(answers)).slice(4).map(({ title }) => title)).toEqual(Array(2).fill("wanted by both"));
    expect(web.timesAsked(wanted.url)).toBe(1);
  });
});

describe("a page that is being fetched", () => {
  test("a page that is being fetched is fetched to its end when one of two who asked for it has left, and no further when both have", async () => {
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const users = [await api.register(), await api.register()];
    const slow = web.hold("slow");
    const left = [new AbortController(), new AbortController()];
    const asked = users.map((user, n) => askUntil(left[n]?.signal, slow.url, user).catch(() => "left"));
    await waitUntil(() => slow.isAsked());
    left[0]?.abort();
    expect(await asked[0]).toBe("left");
    const quick = web.publish("<title>quick</title>");
    await Promise.all(users.map((user) => previewFor(quick, user)));
    expect(slow.isGivenUp()).toBe(false);
    left[1]?.abort();
    await waitUntil(() => slow.isGivenUp());
    const again = users.map((user) => previewFor(slow.url, user));
    await waitUntil(() => web.timesAsked(slow.url) === 2);
    slow.release();
    for (const answer of await Promise.all(again)) expect(answer.title).toBe("slow");
  });
});
