// Receives a server's webhook and repeats each new message in another channel. Only deliveries with a valid signature
// count. Settings: PARLEY_URL, BOT_TOKEN, CHANNEL_ID, WEBHOOK_SECRET, PORT.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, verifyWebhook } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "" } = process.env;
const { CHANNEL_ID: channelId = "", WEBHOOK_SECRET: secret = "", PORT: port = "9000" } = process.env;
const bodyBytesMax = 1_000_000;

const client = createClient({ baseUrl, botToken });

async function receive(request) {
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) return 413;
  const body = await buffer(request);
  const signature = request.headers["x-service-signature-256"];
  // The signature is of the bytes: parse only what it has proved.
  if (!(await verifyWebhook({ secret, signature, body }))) return 401;
  const { event, data } = JSON.parse(body.toString());
  if (event !== "message.created" || data.channel_id === channelId) return 204;
  // A delivery may come again; the same nonce makes it the same message.
  await client.messages.send(channelId, { content: `↪ ${data.content}`.slice(0, 4_000), nonce: data.id });
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      // Anything but 2xx is delivered again, up to three times.
      process.stderr.write(`${error}\n`);
      response.writeHead(500).end();
    },
  );
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
server.listen(Number(port), () => process.stdout.write(`Listening on ${server.address().port}\n`));
