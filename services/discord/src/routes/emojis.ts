import type { CustomEmoji } from "@parley/contracts";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { emojiJsonBytesMax } from "../limits.js";
import { loadPeople } from "../loading/context.js";
import { toEmoji } from "../objects/emoji.js";
import { discordError, unsupported } from "../rest/errors.js";
import { readInput } from "../rest/input.js";
import { pictureForm } from "../rest/picture.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

const newEmoji = z.object({ name: z.string().min(2).max(32), image: z.string() });

async function show({ database }: BotCall, emojis: readonly CustomEmoji[]) {
  const people = await loadPeople(
    database,
    emojis.map(({ created_by }) => created_by),
  );
  return emojis.filter(isShown).map((emoji) => ({ ...toEmoji(emoji), ...people("user", emoji.created_by) }));
}

async function listed(call: BotCall) {
  return show(call, await call.api.get<CustomEmoji[]>(`/servers/${await serverOf(call)}/emojis`));
}

async function one(call: BotCall) {
  const found = (await listed(call)).find(({ id }) => id === call.params.emoji_id);
  if (found === undefined) throw discordError(10014);
  return found;
}

async function create(call: BotCall) {
  const { name, image } = readInput(newEmoji, call.body);
  const form = pictureForm("image", image, { name: name.toLowerCase() });
  const [shown] = await show(call, [
    await call.api.send<CustomEmoji>("POST", `/servers/${await serverOf(call)}/emojis`, form),
  ]);
  return shown;
}

export const emojiRoutes = [
  route("GET", "/guilds/:guild_id/emojis", listed),
  route("POST", "/guilds/:guild_id/emojis", create, { bodyBytesMax: emojiJsonBytesMax }),
  route("GET", "/guilds/:guild_id/emojis/:emoji_id", one),
  route("PATCH", "/guilds/:guild_id/emojis/:emoji_id", async (call) => {
    const before = await one(call);
    const { name } = readInput(newEmoji.pick({ name: true }).partial(), call.body);
    // Custom emoji keep the name that they were made with.
    if (name !== undefined && name.toLowerCase() !== before.name)
      throw unsupported(["name"], "Another name of an emoji");
    return before;
  }),
  route("DELETE", "/guilds/:guild_id/emojis/:emoji_id", async (call) => {
    const serverId = await serverOf(call);
    const id = await call.id("emoji", call.params.emoji_id ?? "", 10014, serverId);
    await call.api.send("DELETE", `/servers/${serverId}/emojis/${id}`);
  }),
  route("GET", "/applications/:application_id/emojis", async (call) => {
    if (call.params.application_id !== snowflakeOf(call.bot.userId)) throw discordError(20012);
    return { items: [] };
  }),
];
