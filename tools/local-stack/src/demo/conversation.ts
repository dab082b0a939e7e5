import type { Channel, Message } from "@parley/client";
import type { DemoPeople, DemoUsername } from "./people.js";

/** Sends messages one after another, so that they stand in this order. */
export async function converse(
  people: DemoPeople,
  channel: Channel,
  lines: readonly (readonly [DemoUsername, string])[],
): Promise<Message[]> {
  const sent: Message[] = [];
  for (const [author, content] of lines) sent.push(await people[author].client.messages.send(channel.id, { content }));
  return sent;
}

/** Sends a message with a picture. */
export async function showPicture(
  people: DemoPeople,
  channel: Channel,
  shown: { by: DemoUsername; content: string; filename: string; picture: Buffer },
): Promise<Message> {
  const { client } = people[shown.by];
  const message = await client.messages.send(channel.id, { content: shown.content });
  const form = new FormData();
  form.append("files", new Blob([new Uint8Array(shown.picture)], { type: "image/png" }), shown.filename);
  await client.attachments.upload(message.id, form);
  return message;
}

/** Lets each of them react in the same way. */
export async function reactTo(
  people: DemoPeople,
  message: Message,
  emoji: string,
  by: readonly DemoUsername[],
): Promise<void> {
  for (const name of by) await people[name].client.reactions.add(message.channel_id, message.id, emoji);
}
