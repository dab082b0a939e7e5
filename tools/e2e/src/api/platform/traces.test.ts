import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { connectGateway, createClient, startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createGuardedServer } from "../stages/automod-stage.js";
import { createWebhook } from "../stages/webhook-stage.js";

// Traces of real processes, received as a collector receives them (OTLP over HTTP, JSON).

const Value = z.object({ stringValue: z.string().optional() });
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: Value })).default([]),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: Value })) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});
type Span = z.infer<typeof Span> & { service: string | undefined };

const spans: Span[] = [];
const hooks: string[] = [];
let receiver: Server;
let stack: TestStack;
let receiverUrl: string;

beforeAll(async () => {
  receiver = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    if (request.url === "/v1/traces") collect(text);
    else hooks.push(text);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  receiverUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl, OTEL_BSP_SCHEDULE_DELAY: "200" };
  // Its own: its services send traces to the test.
  stack = await startStack({ apis: 1, gateways: 1, automods: 1, webhookDispatchers: 1, env });
});
afterAll(async () => {
  await stack?.stop();
  receiver?.close();
});

function collect(text: string): void {
  for (const { resource, scopeSpans } of Export.parse(JSON.parse(text)).resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue;
    for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
  }
}

test("a message is one trace through all services, and no client chooses it", async () => {
  const words = { word_filter_enabled: true };
  const scene = await createGuardedServer(createClient(stack.edgeUrl), words, ["blunder"]);
  const { server, channel, owner, author: member } = scene;
  await createWebhook(owner, server.id, { url: `${receiverUrl}/hook`, event_types: ["message.created"] });
  const socket = connectGateway(stack.edgeUrl, member.accessToken);
  await socket.ready;
  const foreignTrace = "0af7651916cd43dd8448eb211c80319c";
  const answer = await member.send("POST", `/channels/${channel.id}/messages`, {
    body: { content: "followed through everything" },
    headers: { traceparent: `00-${foreignTrace}-b7ad6b7169203331-01`, "x-request-id": "request-of-the-test" },
  });
  expect(answer.status).toBe(201);
  await waitUntil(() => hooks.some((text) => text.includes("followed through everything")));
  const root = await waitUntil(() =>
    spans.find(({ attributes }) =>
      attributes.some(({ key, value }) => key === "parley.request_id" && value.stringValue === "request-of-the-test"),
    ),
  );
  expect(root).toMatchObject({ service: "api", name: "POST /channels/:channel_id/messages" });
  // A client cannot choose the trace.
  expect(root.traceId).not.toBe(foreignTrace);
  expect(root.parentSpanId ?? "").toBe("");
  const inTrace = (service: string, name: string) =>
    waitUntil(
      () => spans.find((span) => span.traceId === root.traceId && span.service === service && span.name === name),
      { what: `the span ${name} of ${service}` },
    );
  await inTrace("api", "message_insert");
  await inTrace("api", "ask automodCheck");
  await inTrace("automod", "automod.check");
  await inTrace("api", "publish");
  await inTrace("gateway", "MESSAGE_CREATE");
  await inTrace("webhook-dispatcher", "webhook-dispatcher");
  await inTrace("webhook-dispatcher", "push-messages");
  await inTrace("webhook-dispatcher", "deliver webhook");
  await inTrace("webhook-dispatcher", "POST");
  await socket.close();
});

test("the event of a message with files is in the trace of its request", async () => {
  const { channel, author } = await createGuardedServer(createClient(stack.edgeUrl), {}, []);
  const socket = connectGateway(stack.edgeUrl, author.accessToken);
  await socket.ready;
  const body = new FormData();
  body.append("payload_json", JSON.stringify({ content: "with a file" }));
  body.append("files", new Blob(["text"]), "note.txt");
  const headers = { "x-request-id": "request-with-files" };
  expect((await author.send("POST", `/channels/${channel.id}/messages`, { body, headers })).status).toBe(201);
  const root = await waitUntil(() =>
    spans.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === "request-with-files")),
  );
  const received = () =>
    spans.find((span) => span.traceId === root.traceId && span.service === "gateway" && span.name === "MESSAGE_CREATE");
  await waitUntil(received, { what: "the span MESSAGE_CREATE of the gateway" });
  await socket.close();
});
