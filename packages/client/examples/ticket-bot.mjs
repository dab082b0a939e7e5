// "/ticketdesk" sends a button that opens a ticket: a channel for the member who pressed it and for members who may
// manage channels. A button there closes the ticket. The bot needs Manage Channels. Settings: PARLEY_URL, BOT_TOKEN.
import { button, createBot, embed, Permission, rows } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
const bot = createBot({ url, token });
const { MANAGE_CHANNELS, SEND_MESSAGES, VIEW_CHANNEL } = Permission;

const definition = { description: "Sends a button that opens tickets", defaultPermissions: MANAGE_CHANNELS };
bot.command("ticketdesk", definition, ({ reply }) =>
  reply({
    embeds: [embed({ title: "Help", description: "Open a ticket: only you and the team see it." })],
    components: rows(button("Open a ticket", "ticket:open")),
  }),
);

bot.button("ticket:open", async ({ modal, client, serverId, user }) => {
  const form = await modal({
    title: "A ticket",
    fields: { about: { label: "What is it about?", style: "paragraph" } },
  });
  if (form === null) return;
  // Making the channel may take more than three seconds. And code behind the first answer runs once.
  await form.defer({ ephemeral: true });
  const { id: own } = await client.users.me();
  const ticket = await client.channels.create(serverId, {
    name: `ticket-${form.raw.id.slice(-6)}`,
    category: "Tickets",
  });
  const writes = VIEW_CHANNEL | SEND_MESSAGES;
  // Nobody sees it before anything is written there, and the bot does not lock itself out.
  await client.overrides.put(ticket.id, { user_id: own, allow: writes | MANAGE_CHANNELS, deny: 0 });
  await client.overrides.put(ticket.id, { user_id: user.id, allow: writes, deny: 0 });
  await client.overrides.put(ticket.id, { role_id: serverId, allow: 0, deny: VIEW_CHANNEL });
  await client.messages.send(ticket.id, {
    content: `@${user.username}`,
    embeds: [embed({ title: "Ticket", description: form.fields.about, author: user.username })],
    components: rows(button("Close", `ticket:close:${user.id}`, "danger")),
  });
  await form.reply(`Your ticket is #${ticket.name}.`);
});

bot.button("ticket:close:", async ({ rest: openedBy, user, permissions, client, channelId, update, reply }) => {
  const mayClose = user.id === openedBy || (permissions & MANAGE_CHANNELS) !== 0;
  if (!mayClose) return reply({ content: "This is not your ticket.", ephemeral: true });
  await update({ components: [] });
  await client.channels.delete(channelId);
});
await bot.run();
