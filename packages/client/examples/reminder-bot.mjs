// "/remind in: 10m text: tea" reminds its invoker, in the same channel, also after the bot was restarted:
// reminders.json has the future ones. Settings: PARLEY_URL, BOT_TOKEN.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createBot } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });
const file = "reminders.json";
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longestMs = 20 * unitMs.d; // Longest time of a timer of Node.js: 24 days.

let reminders = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
function keep(changed) {
  reminders = changed;
  writeFileSync(file, JSON.stringify(reminders));
}

function schedule(reminder) {
  setTimeout(() => remind(reminder), reminder.at - Date.now()).unref();
}

async function remind({ id, channelId, username, text }) {
  try {
    // With a nonce the message is sent once, also when the bot is killed before it has recorded that.
    await bot.client.messages.send(channelId, { content: `@${username} ${text}`, nonce: id });
  } catch (error) {
    bot.log(`${id}: ${error.message}`);
    // A reminder is dropped only when its channel is gone; after every other failure the bot tries again at its next
    // start.
    if (!error.final) return;
  }
  keep(reminders.filter((each) => each.id !== id));
}

const options = {
  in: { type: "string", description: "When, such as 30s, 10m, 2h or 1d", required: true, max: 5 },
  text: { type: "string", description: "Of what", required: true, max: 200 },
};
bot.command("remind", { description: "Reminds you of something", options }, async (interaction) => {
  const { options, user, channelId, raw, reply } = interaction;
  const [, count, unit] = /^(\d+)([smhd])$/.exec(options.in) ?? [];
  const waitMs = Number(count) * unitMs[unit];
  if (!(waitMs <= longestMs)) return reply({ content: "Say when, such as 10m, up to 20d.", ephemeral: true });
  const reminder = { id: raw.id, channelId, username: user.username, text: options.text, at: Date.now() + waitMs };
  // Kept first: nothing is promised that a crash forgets.
  keep([...reminders.filter(({ id }) => id !== raw.id), reminder]);
  schedule(reminder);
  return reply({ content: `I remind you in ${options.in}.`, ephemeral: true });
});

for (const reminder of reminders) schedule(reminder);
await bot.run();
