// Asks for a sum after "!quiz", and waits 30 seconds for the right answer. Settings: PARLEY_URL, BOT_TOKEN.
import { type CommandContext, createBot } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });
const answerMs = 30_000;

async function quiz({ args, channelId, client, reply, waitFor }: CommandContext): Promise<void> {
  const [first = 2, second = 3] = args.map(Number);
  await reply(`How much is ${first} + ${second}?`);
  const answer = await waitFor(
    "MESSAGE_CREATE",
    ({ channel_id, content }) => channel_id === channelId && content.trim() === String(first + second),
    answerMs,
  );
  if (answer === null || answer.author_id === null) await reply(`Time is up: ${first + second}.`);
  else await reply(`@${(await client.users.get(answer.author_id)).username} knows it.`);
}

bot.command("quiz", quiz);
await bot.run();
