import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { errorBody as error, Gif } from "@parley/contracts";
import { createClient, type EquippedStack, sharedStack, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { levelOf } from "../log-levels.js";

describe("with a key", () => {
  let stack: EquippedStack;
  let ann: UserClient;
  let provider: Server;
  const asked: URL[] = [];
  let answer: (response: ServerResponse, limit: number) => void;

  const picture = (name: string, width: number) => ({
    url: `https://media.example/${name}.gif`,
    width: `${width}`,
    height: "100",
  });
  const entry = (n: number) => ({
    title: `GIF ${n}`,
    images: { original: picture(`${n}`, 480), fixed_width: picture(`${n}-small`, 200) },
  });
  const send = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body));

  beforeAll(async () => {
    provider = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://provider");
      asked.push(url);
      answer(response, Number(url.searchParams.get("limit")));
    });
    stack = await sharedStack();
    provider.listen(stack.gifs.port, "127.0.0.1");
    await once(provider, "listening");
    ann = await createClient(stack.edgeUrl).register();
  });
  beforeEach(() => {
    asked.length = 0;
    answer = (response, limit) => send(response, { data: Array.from({ length: limit }, (_, n) => entry(n)) });
  });
  afterAll(async () => {
    provider?.closeAllConnections();
    provider?.close();
  });

  const search = (query: string) => ann.get(`/giphy/search${query}`);

  test("the provider is asked, and its pictures are shown", async () => {
    const found = (await search("?q=%20queen%20%26%20king%20")).expect(200, z.array(Gif.strict()));
    expect(found).toHaveLength(15);
    expect(found[1]).toEqual({
      url: "https://media.example/1.gif",
      preview_url: "https://media.example/1-small.gif",
      title: "GIF 1",
      width: 480,
      height: 100,
    });
    expect(asked.map(({ pathname }) => pathname)).toEqual(["/v1/gifs/search"]);
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      api_key: stack.gifs.key,
      q: "queen & king",
      limit: "15",
    });
  });

  test.each([
    ["1", 1],
    ["25", 25],
    ["26", 25],
    ["1000000", 25],
    ["0", 1],
    ["-5", 1],
  ])("with a key a limit of %s is %i", async (limit, expected) => {
    const found = (await search(`?q=chess&limit=${limit}`)).expect(200, z.array(Gif.strict()));
    expect([found.length, asked[0]?.searchParams.get("limit")]).toEqual([expected, `${expected}`]);
  });

  test.each([
    ["no text", "", "q must be 1-50 characters"],
    ["a blank text", "?q=%20", "q must be 1-50 characters"],
    ["a long text", `?q=${"x".repeat(51)}`, "q must be 1-50 characters"],
    ["two texts", "?q=a&q=b", "q must be 1-50 characters"],
    ["a limit that is no integer", "?q=a&limit=x", "limit must be an integer"],
  ])("a search for GIFs with %s is refused", async (_, query, text) => {
    const refused = await search(query);
    expect([refused.status, refused.body]).toEqual([400, error(text)]);
    expect(asked).toEqual([]);
  });

  test("entries of another form are left out", async () => {
    const bad = [null, {}, { title: 1, images: {} }, { images: { original: picture("x", Number.NaN) } }];
    const small = { images: { original: picture("bare", 10) } };
    answer = (response) => send(response, { data: [...bad, small, entry(7)] });
    const found = (await search("?q=chess")).expect(200, z.array(Gif.strict()));
    expect(found.map(({ title, preview_url }) => [title, preview_url])).toEqual([
      ["", "https://media.example/bare.gif"],
      ["GIF 7", "https://media.example/7-small.gif"],
    ]);
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ["refuses the key", (response) => response.writeHead(403).end("{}")],
    ["fails", (response) => response.writeHead(500).end("oops")],
    ["answers something else", (response) => response.end("<html>")],
    ["breaks off", (response) => response.destroy()],
    ["answers too much", (response) => response.end(" ".repeat(3 * 1024 * 1024))],
    ["hangs", () => undefined],
  ])("a provider that %s makes the search unavailable, and its key is not told", async (_, provide) => {
    answer = (response) => void provide(response);
    const failed = await search("?q=chess");
    expect([failed.status, failed.body]).toEqual([503, error("GIF search is not available")]);
    expect(await levelOf(stack, failed.headers)).toBe("warn");
    expect(stack.output().filter((line) => line.includes(stack.gifs.key))).toEqual([]);
  });
});
