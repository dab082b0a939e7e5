// Answers "!echo some text" with the text. Settings: PARLEY_URL, BOT_TOKEN.
import { createClient, ParleyError } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "" } = process.env;
const client = createClient({ baseUrl, botToken });
const me = await client.users.me();

const gateway = client.gateway({ presence: "none", events: ["MESSAGE_CREATE"] });
gateway.on("MESSAGE_CREATE", async (message) => {
  // Not its own words, or it would answer itself for ever.
  if (message.author_id === me.id || !message.content.startsWith("!echo ")) return;
  try {
    await client.messages.send(message.channel_id, {
      content: message.content.slice("!echo ".length),
      reply_to: message.id,
    });
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    process.stderr.write(`${error.message} (request ${error.requestId})\n`);
  }
});
gateway.on("resync", ({ reason }) => process.stderr.write(`Some messages were missed: ${reason}\n`));
gateway.on("close", (error) => {
  if (error !== null) process.stderr.write(`The end: ${error.message}\n`);
});

await gateway.connect();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => gateway.close());
process.stdout.write(`${me.username} is listening\n`);
