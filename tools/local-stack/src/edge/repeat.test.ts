import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { closeAll, edgeTo, refusedUrl, startUpstream } from "./edge-fixture.js";

afterEach(closeAll);

const withNonce = '{"content":"\\"nonce\\":{","nonce":"n1"}';
/** Dies over as many requests, and answers the next ones with their method and body. */
function dyingOver(count: number): { seen: () => number; listener: RequestListener } {
  let seen = 0;
  return {
    seen: () => seen,
    listener: async (request, response) => {
      seen += 1;
      if (seen <= count) request.socket.destroy();
      else response.end(`${request.method} ${await text(request)}`);
    },
  };
}
const ask = async (url: string, method: string, path: string, body: string) => {
  const answer = await fetch(url + path, { method, body: method === "GET" ? null : body });
  return [answer.status, await answer.text()];
};

// deploy/nginx has the same in tools/e2e/src/deploy/nginx-again.test.ts.
describe("edge: a request that no api answers", () => {
  test.each(["GET", "POST", "DELETE"])("waits for an api while nobody can be reached: %s", async (method) => {
    const apis = [await refusedUrl()];
    let asked = 0;
    const api = await startUpstream(dyingOver(0).listener);
    const urls = () => {
      asked += 1;
      return asked < 4 ? apis : [api.url];
    };
    const edge = await edgeTo({ apiUrls: urls });
    expect(await ask(edge.url, method, "/servers", "body")).toEqual([
      200,
      `${method} ${method === "GET" ? "" : "body"}`,
    ]);
  });

  test.each([
    ["GET", "/servers", ""],
    ["POST", "/channels/1/messages", withNonce],
    ["POST", "/api/channels/1/messages/2/thread", withNonce],
    ["POST", "/channels/1/polls", withNonce],
    ["POST", "/dm-channels/1/messages/", withNonce],
  ])("is repeated after both apis died over it, as it may be done twice: %s %s", async (method, path, body) => {
    const api = dyingOver(2);
    const { url } = await startUpstream(api.listener);
    const edge = await edgeTo({ apis: [url, url] });
    expect([await ask(edge.url, method, path, body), api.seen()]).toEqual([[200, `${method} ${body}`], 3]);
  });

  test.each([
    ["POST", "/servers", withNonce],
    ["PATCH", "/channels/1/messages/2", withNonce],
    ["POST", "/channels/1/messages", '{"content":"\\"nonce\\":\\"n1\\""}'],
    ["POST", "/channels/1/messages", '{"content":"a","nonce":null}'],
    ["POST", "/channels/1/messages", '{"content":"a","more":{"nonce":"n1"}}'],
    ["POST", "/messages/1/attachments", withNonce],
  ])("is not repeated after an api has seen it, as it could be done twice: %s %s %s", async (method, path, body) => {
    const api = dyingOver(1);
    const { url } = await startUpstream(api.listener);
    const edge = await edgeTo({ apis: [url, url] });
    expect([(await ask(edge.url, method, path, body))[0], api.seen()]).toEqual([502, 1]);
  });

  test("reaches four apis at most when it ends each of them", async () => {
    const api = dyingOver(100);
    const { url } = await startUpstream(api.listener);
    const edge = await edgeTo({ apis: [url, url] });
    expect([(await ask(edge.url, "GET", "/servers", ""))[0], api.seen()]).toEqual([502, 4]);
  });
});
