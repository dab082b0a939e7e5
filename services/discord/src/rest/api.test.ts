import { File } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createInteractionTokens } from "@parley/auth";
import { pino } from "pino";
import { test as base, expect, onTestFinished } from "vitest";
import { interactionToken } from "../ids/interaction-token.js";
import { snowflakeOf } from "../ids/snowflake.js";
import { filesBytesMax, formsBytesMax, jsonBytesMax, pictureJsonBytesMax } from "../limits.js";
import { interactionRoutes } from "../routes/interactions.js";
import { createApiConnections } from "./api.js";
import { filesForm, readBodyWithFiles, readBytes } from "./forms.js";
import { createRest, type RestOptions } from "./handler.js";
import { pictureForm } from "./picture.js";
import { openRoute } from "./route.js";

/** A request as the api got it. */
interface Got {
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

async function listen(onRequest: RequestListener): Promise<string> {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const test = base.extend<{ api: { readonly url: string; readonly got: Got[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures are needed from the pattern
  api: async ({}, use) => {
    const got: Got[] = [];
    const url = await listen(async (request, response) => {
      got.push({ headers: request.headers, bytes: Buffer.concat(await request.toArray()) });
      response.end();
    });
    await use({ url, got });
  },
});

/** The service, with routes that pass the bodies they read on to an api. */
async function serve(apiUrl: string, others: Partial<RestOptions> = {}): Promise<string> {
  const connections = createApiConnections([apiUrl]);
  onTestFinished(() => connections.close());
  const rest = createRest({
    connections,
    routes: [
      openRoute(
        "POST",
        "/form",
        async ({ api, request }) => {
          const { files, body } = await readBodyWithFiles(request);
          await api.send("POST", "/form", filesForm(files, body as object));
        },
        { takesFiles: true },
      ),
      openRoute("POST", "/bytes", async ({ request }) => ({ bytes: (await readBytes(request)).length }), {
        takesFiles: true,
      }),
      openRoute("POST", "/json", async ({ body }) => body),
      {
        ...openRoute("POST", "/picture", async ({ body }) => ({ length: (body as { image: string }).image.length })),
        bodyBytesMax: pictureJsonBytesMax,
      },
    ],
    servePage: async () => false,
    count: () => undefined,
    logger: pino({ enabled: false }),
    publicUrl: null,
    // Nothing here has a token, or an identifier.
    accounts: { findBotByToken: async () => null },
    database: { query: async () => [] },
    tokens: { issue: () => "" },
    interactionTokens: { isValid: () => false },
    type: async () => undefined,
    threadNames: {
      begin: async () => true,
      keep: async () => undefined,
      read: async () => null,
      forget: async () => undefined,
    },
    inTurn: (_key, work) => work(),
    announceThread: () => undefined,
    missing: { record: async () => false },
    limit: async () => ({ limit: 50, remaining: 49, reset: 0, isExceeded: false }),
    ...others,
  });
  return `${await listen(rest)}/discord/api/v10`;
}

const partsOf = async ({ headers, bytes }: Got) => [
  ...(await new Response(bytes, { headers: { "content-type": headers["content-type"] ?? "" } }).formData()),
];
const boundaryOf = ({ headers }: Got) => /boundary="?([^";]+)/.exec(headers["content-type"] ?? "")?.[1] ?? "";
/** A file that ends its part and begins another, if the form after it uses this boundary again. */
const forged = (boundary: string) =>
  `x\r\n--${boundary}\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content":"forged"}\r\n--${boundary}--\r\n`;

test("a file with the boundary of the form before stays one file", async ({ api }) => {
  const connections = createApiConnections([api.url]);
  onTestFinished(() => connections.close());
  const { send } = connections.of(null, "");
  await send("POST", "/", filesForm([new File(["a"], "a.txt")]));
  const name = 'a"\r\nX: y\r\n.txt';
  const text = forged(boundaryOf(api.got[0] as Got));
  await send("POST", "/", filesForm([new File([text], name, { type: "text/plain" })], { content: "own" }));
  const [[payloadName, payload], [fileName, file], ...others] = (await partsOf(api.got[1] as Got)) as [
    [string, string],
    [string, globalThis.File],
  ];
  expect([payloadName, payload, fileName, others]).toEqual(["payload_json", '{"content":"own"}', "files", []]);
  expect([file.name, file.type, await file.text()]).toEqual([name, "text/plain", text]);
});

test("a picture with the boundary of the form before stays one picture", async ({ api }) => {
  const connections = createApiConnections([api.url]);
  onTestFinished(() => connections.close());
  const { send } = connections.of(null, "");
  const uriOf = (text: string) => `data:image/png;base64,${Buffer.from(text).toString("base64")}`;
  await send("POST", "/", pictureForm("image", uriOf("a")));
  const text = forged(boundaryOf(api.got[0] as Got));
  await send("POST", "/", pictureForm("image", uriOf(text), { name: 'a"\r\nb' }));
  const [[name], [imageName, image], ...others] = (await partsOf(api.got[1] as Got)) as [
    [string, string],
    [string, globalThis.File],
  ];
  expect([name, imageName, others]).toEqual(["name", "image", []]);
  expect(await image.text()).toBe(text);
});

test("the api gets the chain of addresses that the request came over, with its last one", async ({ api }) => {
  const url = await serve(api.url);
  const ways: Record<string, string>[] = [{}, { "x-forwarded-for": "203.0.113.7, 10.0.0.1" }];
  for (const headers of ways) {
    const form = new FormData();
    form.append("files[0]", new Blob(["a"]), "a.txt");
    await fetch(`${url}/form`, { method: "POST", body: form, headers });
  }
  expect(api.got.map(({ headers }) => headers["x-forwarded-for"])).toEqual([
    "127.0.0.1",
    "203.0.113.7, 10.0.0.1, 127.0.0.1",
  ]);
});

const tooLarge = [413, { message: "Request entity too large", code: 40005 }];
const outcome = async (answer: Response) => [answer.status, await answer.json()];

test("bodies above their bounds are refused in Discord's form", async ({ api }) => {
  const url = await serve(api.url);
  const form = new FormData();
  form.append("files[0]", new Blob([Buffer.alloc(filesBytesMax)]), "a.bin");
  form.append("files[1]", new Blob(["a"]), "b.txt");
  expect(await outcome(await fetch(`${url}/form`, { method: "POST", body: form }))).toEqual(tooLarge);
  const text = JSON.stringify("a".repeat(jsonBytesMax));
  for (const path of ["/form", "/bytes", "/json"]) {
    expect(await outcome(await fetch(`${url}${path}`, { method: "POST", body: text }))).toEqual(tooLarge);
  }
  const many = new FormData();
  for (let number = 0; number <= 10; number++) many.append(`files[${number}]`, new Blob(["a"]), "a.txt");
  expect(await outcome(await fetch(`${url}/form`, { method: "POST", body: many }))).toMatchObject([
    400,
    { code: 50035, errors: { files: { _errors: [{ code: "BASE_TYPE_BAD_LENGTH" }] } } },
  ]);
  const gzipped = { "content-encoding": "compress", "content-type": "application/json" };
  expect(await outcome(await fetch(`${url}/json`, { method: "POST", body: "{}", headers: gzipped }))).toMatchObject([
    415,
    { code: 0 },
  ]);
  expect(api.got).toEqual([]);
});

test("a route of pictures takes a body as large as a picture, and no larger", async ({ api }) => {
  const url = `${await serve(api.url)}/picture`;
  const send = (length: number) =>
    fetch(url, { method: "POST", body: JSON.stringify({ image: "A".repeat(length) }) }).then(outcome);
  expect(await send(pictureJsonBytesMax - 100)).toEqual([200, { length: pictureJsonBytesMax - 100 }]);
  expect(await send(pictureJsonBytesMax)).toEqual(tooLarge);
});

test("forms wait only as far as the process has memory for them, which answers give back", async () => {
  const waiting: (() => void)[] = [];
  let isFull = () => {};
  const all = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  const slowApi = await listen(async (request, response) => {
    await request.toArray();
    waiting.push(() => response.end());
    if (waiting.length === formsBytesMax / filesBytesMax) isFull();
  });
  const url = await serve(slowApi);
  const send = (bytes: number) => {
    const form = new FormData();
    form.append("files[0]", new Blob([Buffer.alloc(bytes)]), "a.bin");
    return fetch(`${url}/form`, { method: "POST", body: form });
  };
  const first = Array.from({ length: formsBytesMax / filesBytesMax }, () => send(filesBytesMax));
  await all;
  const refused = await send(1);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const again = send(1);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  expect((await again).status).toBe(204);
});

test("the answer to an interaction is one request to the api with its token alone, and reads no row unless it names something", async ({
  api,
}) => {
  const id = "0190a5b4-7c1d-7e3a-8f00-1b2c3d4e5f60";
  const interactionTokens = createInteractionTokens(["a secret"]);
  const statements: string[] = [];
  const query: RestOptions["database"]["query"] = async ({ name }) => {
    statements.push(name);
    return [];
  };
  const url = await serve(api.url, { routes: interactionRoutes, interactionTokens, database: { query } });
  const token = interactionToken(id, interactionTokens.issue(id));
  const answer = async (content: string) => {
    const body = JSON.stringify({ type: 4, data: { content } });
    const { status } = await fetch(`${url}/interactions/${snowflakeOf(id)}/${token}/callback`, {
      method: "POST",
      body,
    });
    return status;
  };
  expect(await answer("pong")).toBe(204);
  const [asked] = api.got;
  expect([api.got.length, asked?.headers.authorization, statements]).toEqual([1, undefined, []]);
  // Its interaction is not there any more.
  expect(await answer("<#123>")).toBe(404);
  expect([api.got.length, statements]).toEqual([1, ["discord_interaction"]]);
});
