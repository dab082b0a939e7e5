// "/github repository: owner/name" makes an address for the webhook of a repository, whose events then appear in the
// channel. The bot needs Administrator, as incoming webhooks do. Settings: PARLEY_URL, BOT_TOKEN.
import { button, createBot, Permission, rows } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });

const definition = {
  description: "Says in this channel what happens in a repository of GitHub",
  defaultPermissions: Permission.ADMINISTRATOR,
  options: { repository: { type: "string", description: "owner/name", required: true, max: 70 } },
};
bot.command("github", definition, async ({ options: { repository }, client, serverId, channelId, reply }) => {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return reply({ content: "A repository is owner/name.", ephemeral: true });
  const hook = await client.incomingWebhooks.create(serverId, { channel_id: channelId, name: `GitHub ${repository}` });
  const address = client.resolve(`${hook.path}/github`);
  const steps = `https://github.com/${repository}/settings/hooks/new\nPayload URL: ${address}\nContent type: application/json`;
  // The address is a secret: everybody with it can write to the channel.
  return reply({
    content: `Add a webhook to the repository:\n${steps}`,
    components: rows(button("End it", `end:${hook.id}`, "danger")),
    ephemeral: true,
  });
});

bot.button("end:", async ({ rest: hookId, client, serverId, update }) => {
  await client.incomingWebhooks.delete(serverId, hookId);
  await update({ content: "Nothing is said any more.", components: [] });
});
await bot.run();
