// Receives a server's webhook and repeats each new message in another channel. Only deliveries with a valid signature
// of the last minutes count. Settings: PARLEY_URL, BOT_TOKEN, CHANNEL_ID, WEBHOOK_SECRET, PORT.
import { createServer } from "node:http";
import { createClient, verifyWebhook, WebhookVerificationError } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "" } = process.env;
const { CHANNEL_ID: channelId = "", WEBHOOK_SECRET: secret = "", PORT: port = "9000" } = process.env;
const bodyBytesMax = 1_000_000;

const client = createClient({ baseUrl, botToken });

async function receive(request) {
  const body = await readBody(request);
  if (body === null) return 413;
  const { event, data } = await verifyWebhook({ secret, headers: request.headers, body });
  if (event !== "message.created" || data.channel_id === channelId) return 204;
  // A delivery may come again; the same nonce makes it the same message.
  await client.messages.send(channelId, { content: `↪ ${data.content}`.slice(0, 4_000), nonce: data.id });
  return 204;
}

/** The bytes of a body, which the signature is of; null for too many. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  // The answer needs the connection that is left early.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status, { connection: "close" }).end(),
    (error) => {
      if (error instanceof WebhookVerificationError) return response.writeHead(401).end();
      // Anything but 2xx is delivered again, up to three times.
      process.stderr.write(`${error}\n`);
      response.writeHead(500).end();
    },
  );
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
server.listen(Number(port), () => process.stdout.write(`Listening on ${server.address().port}\n`));
