import {
  createClient,
  previewedAddress,
  startStack,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlType, type PreviewStage, previewFor, startPreviewStage } from "../stages/link-preview-stage.js";

let stack: TestStack;
let stage: PreviewStage;
let web: PreviewStage["web"];

beforeAll(async () => {
  const env = { LINK_PREVIEW_ALLOWED_NETWORKS: `${previewedAddress}/32` };
  // Its own: the receiver holds pages back for as long as a preview may take, and the test keeps the apis busy.
  stack = await startStack({ apis: 2, gateways: 0, env });
  stage = await startPreviewStage(stack);
  ({ web } = stage);
});
afterAll(async () => {
  stage?.close();
  await stack?.stop();
});

/** Asks for a preview and closes the connection when the signal aborts. */
const askUntil = (signal: AbortSignal | undefined, url: string, { baseUrl, accessToken }: UserClient) =>
  fetch(`${baseUrl}/link-preview?url=${encodeURIComponent(url)}`, {
    headers: { authorization: `Bearer ${accessToken}` },
    ...(signal === undefined ? {} : { signal }),
  });

describe("a page of one element nested 300,000 times", () => {
  const nested = `<title>deep</title>${"<b>".repeat(300_000)}`;

  test("a page of one element nested 300,000 times gives what its head says, while other requests are answered", async () => {
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const [asker, other] = [await api.register(), await api.register()];
    let isAnswered = false;
    const preview = previewFor(web.publish(nested), asker).finally(() => {
      isAnswered = true;
    });
    let answered = 0;
    for (; !isAnswered; answered += 1) expect((await other.get("/users/@me")).status).toBe(200);
    expect((await preview).title).toBe("deep");
    expect(answered).toBeGreaterThan(1);
  });

  test("a page of one element nested 300,000 times is not parsed any further when all who asked for it have left", async () => {
    const api = createClient(stage.stack.apis[0]?.url ?? "");
    const [asker, other] = [await api.register(), await api.register()];
    // They are parsed in turns with the page whose askers leave.
    const beside = Array.from({ length: 3 }, () => previewFor(web.publish(nested), other));
    let isSent = false;
    const url = web.publish((response) => {
      response.writeHead(200, { "Content-Type": htmlType });
      response.end(nested, () => {
        isSent = true;
      });
    });
    const left = new AbortController();
    const leaving = [asker, other].map((user) => askUntil(left.signal, url, user));
    const ended = Promise.allSettled(leaving);
    await waitUntil(() => isSent);
    left.abort();
    expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const { title } of await Promise.all(beside)) expect(title).toBe("deep");
    // The api would cache a page that it had parsed to its end.
    expect((await previewFor(url, asker)).title).toBe("deep");
    expect(web.timesAsked(url)).toBe(2);
  });
});
