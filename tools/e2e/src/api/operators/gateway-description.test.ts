import { DiagnosticSeverity, Parser } from "@asyncapi/parser";
import { clientEventNames, clientOps } from "@parley/contracts";
import { createClient, createFrameCheck, type RestClient, type SharedStack, sharedStack } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});

const Document = z.object({
  asyncapi: z.string(),
  operations: z.record(z.string(), z.object({ action: z.enum(["send", "receive"]) })),
  components: z.object({
    messages: z.record(
      z.string(),
      z.object({ name: z.string(), examples: z.array(z.object({ payload: z.unknown() })) }),
    ),
  }),
});

async function readDocument() {
  const { status, headers, body } = await client.get("/docs/asyncapi.yaml");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/yaml; charset=utf-8");
  return String(body);
}

test("the document is AsyncAPI 3.0 without a fault in the eyes of the official parser", async () => {
  const { document, diagnostics } = await new Parser().parse(await readDocument());
  expect(document?.version()).toBe("3.0.0");
  const faults = diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
  expect(faults.map(({ message, path }) => `${path.join(".")}: ${message}`)).toEqual([]);
});

test("it has every op and event, each with examples that a gateway could send", async () => {
  const { asyncapi, operations, components } = Document.parse(parse(await readDocument()));
  expect(asyncapi).toBe("3.0.0");
  const named = (action: string) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.action === action)
      .map(([key]) => components.messages[key]?.name)
      .toSorted();
  expect(named("send")).toEqual(
    [...clientEventNames, "READY", "RESUMED", "VIEW_ACK", "CHANNEL_ACTIVITY", "HEARTBEAT_ACK"].toSorted(),
  );
  expect(named("receive")).toEqual(Object.keys(clientOps).toSorted());
  const check = createFrameCheck();
  for (const [key, { examples }] of Object.entries(components.messages)) {
    expect([key, examples.length > 0]).toEqual([key, true]);
    if (!key.startsWith("send")) continue;
    for (const { payload } of examples) expect(check(JSON.stringify(payload))).toBeNull();
  }
  const ready = z
    .array(
      z.object({ payload: z.object({ s: z.string().optional(), d: z.object({ resync: z.string().optional() }) }) }),
    )
    .parse(components.messages.sendReady?.examples);
  expect(ready.map(({ payload: { s, d } }) => [s !== undefined, d.resync !== undefined])).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("the page shows every op and event, and runs no scripts", async () => {
  const { status, headers, body } = await client.get("/docs/gateway");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const page = String(body);
  for (const name of [...clientEventNames, "READY", "RESUMED", "HEARTBEAT_ACK"]) {
    expect(page).toContain(`<h3 id="gateway-${name}">`);
  }
  for (const name of Object.keys(clientOps)) expect(page).toContain(`<h3 id="client-${name}">`);
  expect(page).not.toMatch(/<script|style=|undefined|\[object/);
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, anchor]) => anchor));
  expect([...page.matchAll(/href="#([^"]+)"/g)].filter(([, anchor]) => !anchors.has(anchor))).toEqual([]);
});

test.each(["", "/api"])("every link of the pages below %j leads somewhere, also to sections", async (prefix) => {
  const start = new URL(`${stack.edgeUrl}${prefix}/docs`);
  const seen = new Map<string, string>();
  const waiting = [start.href];
  const wanted: { from: string; address: string; anchor: string }[] = [];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (seen.has(address)) continue;
    const response = await fetch(address);
    expect([address, response.status]).toEqual([address, 200]);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (isPage) expect(response.headers.get("content-security-policy")).toMatch(/^default-src '(none|self)'/);
    const body = isPage ? await response.text() : "";
    seen.set(address, body);
    for (const [, link = ""] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const target = new URL(link, address);
      const anchor = target.hash.slice(1);
      target.hash = "";
      if (target.host !== start.host) continue;
      if (anchor !== "" && !anchor.startsWith("/")) wanted.push({ from: address, address: target.href, anchor });
      waiting.push(target.href);
    }
  }
  expect(wanted.filter(({ address, anchor }) => !seen.get(address)?.includes(` id="${anchor}"`))).toEqual([]);
  const names = [
    "bots",
    "client",
    "rest",
    "gateway",
    "interface",
    "protocol",
    "protocol/versions",
    "reference/errors",
    "openapi.yaml",
    "asyncapi.yaml",
    "parley-client.tgz",
  ];
  expect(names.filter((name) => !seen.has(`${start.href}/${name}`))).toEqual([]);
  for (const [path, target] of [
    ["/docs/", start.href],
    ["/docs/rest/", `${start.href}/rest`],
  ] as const) {
    expect((await fetch(`${stack.edgeUrl}${prefix}${path}`)).url).toBe(target);
  }
});
