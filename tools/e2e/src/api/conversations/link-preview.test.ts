import { errorBody as error } from "@parley/contracts";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createClient, type RestClient, sharedStack, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  askPreview,
  brokenPages,
  htmlType,
  type PreviewStage,
  previewFor,
  redirectTo,
  startPreviewStage,
} from "../stages/link-preview-stage.js";

const privateText = "This address cannot be previewed";
const failedText = "This page cannot be previewed";
const largeText = "Pages over 1 MB cannot be previewed";
const schemeText = "url must use http:// or https://";

let stage: PreviewStage;
let client: RestClient;
let ann: UserClient;
let web: PreviewStage["web"];

beforeAll(async () => {
  stage = await startPreviewStage(await sharedStack());
  ({ web } = stage);
  client = createClient(stage.stack.edgeUrl);
  ann = await client.register();
});
afterAll(() => stage?.close());

const preview = (url: string, user: RestClient = ann) => previewFor(url, user);
async function refusal(url: string) {
  const { status, body } = await askPreview(url, ann);
  return [status, body];
}

describe("a preview", () => {
  test("a preview shows what a page says about itself, and the address that was asked for", async () => {
    const url = web.publish(`<!doctype html><html><head>
      <title>Plain &amp; simple</title>
      <META PROPERTY="og:title" content="  Queen&#39;s
        gambit ">
      <meta name="description" content="plain"><meta property="og:description" content="An opening">
      <meta property="og:image" content="/board.png"><meta property="og:site_name" content="Chess">
      </head><body><meta property="og:title" content="later"></body></html>`);
    expect(await preview(`${url}#part`)).toEqual({
      url: `${url}#part`,
      title: "Queen's gambit",
      description: "An opening",
      image: `${web.base}/board.png`,
      site_name: "Chess",
    });
  });

  test.each([
    [
      "HTML's own elements",
      "<title> A\n b </title><meta name=description content=c>",
      { title: "A b", description: "c" },
    ],
    [
      "a Twitter card",
      '<meta name="twitter:title" content="t"><meta name="twitter:image" content="//x.example/i">',
      { title: "t", image: "http://x.example/i" },
    ],
    ["nothing", "<p>text", {}],
    ["an empty page", "", {}],
    ["an image of another scheme", '<meta property="og:image" content="javascript:alert(1)">', {}],
    ["an image that is no address", '<meta property="og:image" content="http://[">', {}],
    ["too much text", `<title>${"😀".repeat(400)}</title>`, { title: "😀".repeat(300) }],
    ["NUL and half a character", "<title>a&#0;\u0000b&#xD800;</title>", { title: expect.stringMatching(/^a.*b/) }],
  ])("a preview is made of %s", async (_, text, expected) => {
    const url = web.publish(text);
    const nothing = { title: null, description: null, image: null, site_name: null };
    expect(await preview(url)).toEqual({ url, ...nothing, ...expected });
  });

  test.each([
    ["the answer's header", "<title>Grüße</title>", "text/html; charset=ISO-8859-1"],
    ["the page", '<meta charset="iso-8859-1"><title>Grüße</title>', "text/html"],
  ])("a page is read in the encoding that %s names", async (_, text, contentType) => {
    expect((await preview(web.publish(Buffer.from(text, "latin1"), contentType))).title).toBe("Grüße");
  });

  test("a preview follows redirects, and takes addresses in the page from where it ended", async () => {
    const last = web.publish('<title>here</title><meta property="og:image" content="i.png">');
    const url = web.publish(redirectTo(web.publish(redirectTo(new URL(last).pathname))));
    expect(await preview(url)).toMatchObject({ url, title: "here", image: `${web.base}/i.png` });
  });

  test("a preview is for those who are logged in, bots too", async () => {
    const url = web.publish("<title>t</title>");
    const nobody = await askPreview(url, client);
    expect([nobody.status, nobody.body]).toEqual([401, error("Invalid or expired token")]);
    const { token } = Object((await ann.post("/bots", { name: "Reader" })).body);
    expect((await preview(url, client.withAuthorization(`Bot ${token}`))).title).toBe("t");
  });
});

describe("nothing is dialled for", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f000001",
    "127.1",
    "user:password@127.0.0.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "169.254.169.254",
    "10.0.0.1",
  ])("nothing is dialled for the private address %s, or a redirect to it", async (host) => {
    const target = `http://${host}:${web.port}/secret`;
    expect(await refusal(target)).toEqual([400, error(privateText)]);
    expect(await refusal(web.publish(redirectTo(target)))).toEqual([400, error(privateText)]);
    expect(web.asked.filter(({ path, at }) => path === "/secret" || !/127\.0\.0\.2$/.test(at ?? ""))).toEqual([]);
  });

  test.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["another scheme", "ftp://example.com/"],
    ["a file", "file:///etc/passwd"],
    ["no address", "http://"],
    ["a relative address", "/page"],
    ["NUL", "http://example.com/\u0000"],
  ])("nothing is dialled for an address that is %s", async (_, url) => {
    const answer = await ann.get(`/link-preview${url === undefined ? "" : `?url=${encodeURIComponent(url)}`}`);
    expect([answer.status, answer.body]).toEqual([400, error(schemeText)]);
  });

  test("nothing is dialled for an address longer than 2048 characters", async () => {
    const url = `${web.base}/${"x".repeat(2049 - web.base.length - 1)}`;
    expect(await refusal(url)).toEqual([400, error("url must be at most 2048 characters")]);
    expect(await refusal(url.slice(0, -1))).toEqual([400, error(failedText)]);
  });
});

describe("no preview is made of", () => {
  test.each(brokenPages)("no preview is made of %s", async (_, answer) => {
    expect(await refusal(web.publish(answer))).toEqual([400, error(failedText)]);
  });

  test("ten thousand redirects, followed six times", async () => {
    const before = web.asked.length;
    for (let n = 0; n < 10_000; n += 1) web.pages.set(`/hop-${n}`, redirectTo(`/hop-${n + 1}`));
    expect(await refusal(`${web.base}/hop-0`)).toEqual([400, error(failedText)]);
    expect(web.asked.slice(before).map(({ path }) => path)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `/hop-${n}`));
  });

  test("a page that redirects to itself", async () => {
    const url = web.publish((response, request) => redirectTo(request.url ?? "")(response, request));
    expect(await refusal(url)).toEqual([400, error(failedText)]);
    expect(web.timesAsked(url)).toBe(6);
  });

  test("more than 1 MB, said or sent; exactly that is taken", async () => {
    const start = "<title>large</title>";
    const exact = start.padEnd(1024 * 1024, " ");
    expect((await preview(web.publish(exact))).title).toBe("large");
    expect(await refusal(web.publish(`${exact} `))).toEqual([400, error(largeText)]);
    const said = web.publish((response) => {
      response.writeHead(200, { "Content-Type": htmlType, "Content-Length": 10 * 1024 ** 3 });
      response.write(start);
    });
    expect(await refusal(said)).toEqual([400, error(largeText)]);
  });

  test("a server that is slow to begin, or to go on", async () => {
    const silent = web.publish(() => undefined);
    const dripping = web.publish((response) => {
      response.writeHead(200, { "Content-Type": htmlType });
      const timer = setInterval(() => response.write("<p>"), 100);
      response.once("close", () => clearInterval(timer));
    });
    const refused = await Promise.all([silent, dripping].map(refusal));
    expect(refused).toEqual([silent, dripping].map(() => [400, error(failedText)]));
  });
});

describe("what the first request found", () => {
  let connection: RedisConnection;
  beforeAll(async () => {
    connection = await connectRedis({
      url: stage.stack.redis.url,
      name: "test",
      logger: { info: () => {}, warn: () => {} },
    });
  });
  afterAll(() => connection?.close());

  test("what the first request found is kept for all apis, also when the page is gone", async () => {
    const url = web.publish("<title>kept</title>");
    const first = await preview(url);
    web.pages.delete(new URL(url).pathname);
    for (const api of stage.stack.apis) {
      const reader = createClient(api.url, { authorization: `Bearer ${ann.accessToken}` });
      expect(await preview(url, reader)).toEqual(first);
    }
    expect(web.timesAsked(url)).toBe(1);
  });

  test("what the first request found is kept for a day when it is a preview, and for a minute when it is none", async () => {
    const redis = connection.client;
    await redis.del("{link-previews}", "{link-previews}:ends");
    const [good, bad] = [web.publish("<title>kept</title>"), web.publish("x", "image/png")];
    await preview(good);
    for (let n = 0; n < 4; n += 1) expect(await refusal(bad)).toEqual([400, error(failedText)]);
    expect([web.timesAsked(good), web.timesAsked(bad)]).toEqual([1, 1]);
    const kept = (await redis.hvals("{link-previews}")).map((text) => Object(JSON.parse(text)));
    const minutes = kept.map(({ expires_at }) => Math.ceil((expires_at - Date.now()) / 60_000));
    expect(minutes.toSorted((a, b) => a - b)).toEqual([1, 24 * 60]);
    // Lets the minute pass.
    for (const field of await redis.hkeys("{link-previews}")) {
      const entry = Object(JSON.parse((await redis.hget("{link-previews}", field)) ?? ""));
      await redis.hset("{link-previews}", field, JSON.stringify({ ...entry, expires_at: Date.now() - 1 }));
    }
    web.pages.set(new URL(bad).pathname, (response) =>
      response.writeHead(200, { "Content-Type": htmlType }).end("<title>better</title>"),
    );
    expect((await preview(bad)).title).toBe("better");
  });
});
