// "/poll" opens a form: a question, and the choices, one in each line. The filled form becomes a poll of the channel.
// Settings: PARLEY_URL, BOT_TOKEN.
import { createBot } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });

// With an id the form goes to the handler below, also when the bot was restarted meanwhile.
bot.command("poll", { description: "Asks the channel" }, ({ modal }) =>
  modal({
    id: "poll",
    title: "A poll",
    fields: {
      question: { label: "Question", max: 300 },
      options: { label: "To choose from, one in each line", style: "paragraph", placeholder: "Yes\nNo" },
    },
  }),
);
bot.modal("poll", async ({ fields, client, channelId, user, defer, reply }) => {
  const options = fields.options.split("\n").map((line) => line.trim());
  const texts = [...new Set(options.filter((line) => line !== ""))];
  if (texts.length < 2 || texts.length > 10) {
    return reply({ content: "A poll has 2 to 10 options.", ephemeral: true });
  }
  // Code behind the first answer runs once, also when the bot gets the form again after it lost its connection.
  await defer({ ephemeral: true });
  await client.polls.send(channelId, { question: fields.question, options: texts });
  return reply(`${user.username}, your poll is open.`);
});
await bot.run();
