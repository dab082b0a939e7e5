// The server sends "/coin" to a URL of this program, which needs no connection and may sleep between two requests. Once
// the address is the bot's `interactions_url`, INTERACTIONS_SECRET is the secret in the answer. Settings: PARLEY_URL,
// BOT_TOKEN, INTERACTIONS_SECRET, PORT.
import { createServer } from "node:http";
import { createClient, verifyInteraction, WebhookVerificationError } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "" } = process.env;
const { INTERACTIONS_SECRET: secret = "", PORT: port = "9001" } = process.env;
const bodyBytesMax = 1_000_000;

await createClient({ baseUrl, botToken }).commands.replace({
  commands: [{ name: "coin", description: "Tosses a coin" }],
});

async function answer(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new WebhookVerificationError("Too large");
    chunks.push(chunk);
  }
  const { user } = await verifyInteraction({ secret, headers: request.headers, body: Buffer.concat(chunks) });
  const side = Math.random() < 0.5 ? "Heads" : "Tails";
  return { type: "message", data: { content: `${side} for ${user.username}` } };
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
    (error) => response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end(),
  );
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
server.listen(Number(port), () => process.stdout.write(`Listening on ${server.address().port}\n`));
