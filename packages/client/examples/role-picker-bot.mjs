// "/rolepicker text: Your colour?" lets moderators select roles, and sends a button for each, by which members give themselves
// the role or take it off. The bot needs Manage Roles, and a role above those. Settings: PARLEY_URL, BOT_TOKEN.
import { button, createBot, ParleyError, Permission, rows, selectFrom } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });

const definition = {
  description: "Lets members choose roles by buttons",
  defaultPermissions: Permission.MANAGE_ROLES,
  options: { text: { type: "string", description: "What stands above the buttons", required: true } },
};
bot.command("rolepicker", definition, async ({ options, client, serverId, channelId, reply }) => {
  const components = rows(selectFrom("role", "roles", { max: 20, placeholder: "Roles to choose from" }));
  const asked = await reply({ content: "Which roles?", components, ephemeral: true });
  const press = await asked.nextPress({ timeMs: 5 * 60_000 });
  if (press === null) return;
  const roles = (await client.roles.list(serverId)).filter(({ id }) => press.values.includes(id));
  const buttons = rows(...roles.map(({ id, name }) => button(name, `role:${id}`, "secondary")));
  await client.messages.send(channelId, { content: options.text, components: buttons });
  await press.update({ content: "Done.", components: [] });
});

bot.button("role:", async ({ rest: roleId, client, serverId, user, member, reply }) => {
  const has = member.roles.some(({ id }) => id === roleId);
  try {
    if (has) await client.roles.unassign(serverId, user.id, roleId);
    else await client.roles.assign(serverId, user.id, roleId);
  } catch (error) {
    // The role is gone, or it is not below the bot's.
    if (!(error instanceof ParleyError) || !error.final) throw error;
    return reply({ content: `This does not work: ${error.text}`, ephemeral: true });
  }
  return reply({ content: has ? "You do not have the role any more." : "You have the role.", ephemeral: true });
});
await bot.run();
