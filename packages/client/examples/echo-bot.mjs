// Answers "!echo some text" with the text, also to messages from while it was not running. Settings: PARLEY_URL,
// BOT_TOKEN.
import { createBot, createFileStore } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token, store: createFileStore("echo-bot.position") });
bot.command("echo", ({ text, reply }) => reply(text || "Echo what?"));
await bot.run();
