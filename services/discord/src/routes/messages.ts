import type { DetailedMessage, DmMessage, SentMessage } from "@parley/contracts";
import { MessageFlags, MessageReferenceType } from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf, timeOf } from "../ids/snowflake.js";
import { afterQuery, beforeQuery, fromQuery, listReplies } from "../loading/cursors.js";
import { include, showMessage, showMessages } from "../loading/messages.js";
import { loadNamesById, type ServerOfTexts } from "../loading/names-by-id.js";
import { ownPictures } from "../loading/pictures.js";
import { findPlace, type Place, pathsOf } from "../loading/place.js";
import type { AnyMessage } from "../objects/message.js";
import {
  fromMessage,
  fromPoll,
  type MessageInput,
  messageInput,
  namedInMessage,
  picturesInMessage,
  requirePollAlone,
} from "../objects/message-input.js";
import { DiscordError, discordError } from "../rest/errors.js";
import { filesForm, readBodyWithFiles } from "../rest/forms.js";
import { numberOf, readInput, snowflakeInput, snowflakeQuery, withQuery } from "../rest/input.js";
import { type BotCall, type Call, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { nameBegunThread } from "./thread.js";

type Listed = (DetailedMessage | DmMessage)[];

/** Where messages are read, and for which bot they are shown. */
export const showing = ({ api, database, origin, bot }: BotCall) => ({ api, database, origin, botUserId: bot.userId });

const messageIn = ({ id }: Pick<BotCall, "id">, place: Place, snowflake: string): Promise<string> =>
  id(place.kind === "direct" ? "directMessage" : "message", snowflake, 10008, pathsOf(place).channelId);

/** The UUID of the message in the path. */
export const messageOf = (call: BotCall, place: Place): Promise<string> =>
  messageIn(call, place, call.params.message_id ?? "");

type Cursor = { readonly before?: string } | { readonly after: string };

/** A page of a place's history, newest first. */
async function readPage({ api, database }: BotCall, place: Place, cursor: Cursor, limit: number): Promise<Listed> {
  // The api takes 0 for 1.
  if (limit === 0) return [];
  const list = (given: { before?: string; after?: string | undefined }) =>
    api.get<Listed>(`${withQuery(pathsOf(place).messages, { limit, ...given })}&${include}`);
  if (place.kind !== "thread") return list(cursor);
  return listReplies(database, (after) => list({ after }), { rootId: place.id, limit, ...cursor });
}

async function listMessages(call: BotCall) {
  const { query } = call;
  const place = await placeOf(call);
  const limit = numberOf(query, "limit", { fallback: 50, min: 1, max: 100 });
  const [around, before, after] = ["around", "before", "after"].map((name) => snowflakeQuery(query, name));
  const show = (messages: Listed) => showMessages(showing(call), place, messages);
  if (around !== undefined) {
    const older = await readPage(call, place, beforeQuery(around), Math.floor(limit / 2));
    const newer = await readPage(call, place, fromQuery(around), limit - older.length);
    return show([...newer, ...older]);
  }
  const cursor = before !== undefined ? beforeQuery(before) : after !== undefined ? afterQuery(after) : {};
  return show(await readPage(call, place, cursor, limit));
}

/** The message in the path. */
export async function getMessage(call: BotCall) {
  const place = await placeOf(call);
  const id = await messageOf(call, place);
  const message = await call.api.get<DetailedMessage>(`${pathsOf(place).message}/${id}?${include}`);
  if (message.deleted) throw discordError(10008);
  return showMessage(showing(call), place, message);
}

/** A bot's message in our form. */
export async function ownMessage(
  call: Pick<Call, "database" | "origin">,
  server: ServerOfTexts,
  input: MessageInput,
  { hasFiles = false } = {},
) {
  const [names, pictures] = await Promise.all([
    loadNamesById(call.database, server, namedInMessage(input)),
    ownPictures(call, picturesInMessage(input)),
  ]);
  return { ...fromMessage(input, { names, pictures, hasFiles }), pictures };
}

/** Whether a message of a bot says anything. */
export function requireSomething(input: MessageInput, files: number): void {
  const parts = [input.content?.trim(), input.embeds?.length, input.embed, input.components?.length, input.poll, files];
  if (!parts.some(Boolean)) throw discordError(50006);
}

async function replyOf(call: BotCall, place: Place, { message_reference }: MessageInput): Promise<string | undefined> {
  const snowflake = message_reference?.message_id;
  if (!snowflake) return undefined;
  return messageIn(call, place, snowflake).catch((error: unknown) => {
    if (message_reference?.fail_if_not_exists === false) return undefined;
    throw error;
  });
}

/** Sends a message of this place or another one again. */
async function forward(call: BotCall, place: Place, { message_reference: from }: MessageInput): Promise<SentMessage> {
  if (place.kind === "thread") throw discordError(50024);
  const source = await findPlace(call.database, from?.channel_id ?? call.params.channel_id ?? "");
  const id = await messageIn(call, source, from?.message_id ?? "");
  const path = `/${source.kind === "direct" ? "dm-messages" : "messages"}/${id}/forward`;
  return call.api.send("POST", path, { [place.kind === "direct" ? "dm_channel_id" : "channel_id"]: place.id });
}

async function createMessage(call: BotCall) {
  const { api, request } = call;
  const place = await placeOf(call);
  const { body, files } = await readBodyWithFiles(request);
  const input = readInput(messageInput, body);
  if (input.message_reference?.type === MessageReferenceType.Forward) {
    return showSent(call, place, input, await forward(call, place, input));
  }
  requireSomething(input, files.length);
  const paths = pathsOf(place);
  const nonce = input.enforce_nonce && input.nonce ? { nonce: String(input.nonce) } : {};
  if (input.poll) {
    requirePollAlone(input, files.length);
    if (place.kind !== "channel") throw discordError(50024);
    const poll = { ...fromPoll(input.poll), ...nonce };
    return showSent(call, place, input, await api.send<SentMessage>("POST", `/channels/${place.id}/polls`, poll));
  }
  const { content, embeds, components } = await ownMessage(call, place.serverId, input, { hasFiles: files.length > 0 });
  const own = { content, embeds, components, ...nonce, reply_to: await replyOf(call, place, input) };
  const payload = files.length > 0 && !own.content ? { ...own, content: undefined } : own;
  const sent = await api.send<SentMessage>("POST", paths.send, files.length === 0 ? own : filesForm(files, payload));
  await nameBegunThread(call, place);
  return showSent(call, place, input, sent);
}

async function showSent(call: BotCall, place: Place, { nonce, allowed_mentions }: MessageInput, sent: SentMessage) {
  const shown = await showMessage(showing(call), place, sent);
  // A bot that says whom it mentions mentions the author whom it replies to only where it says so.
  const isSilent = allowed_mentions && !allowed_mentions.replied_user;
  const { mention_user_ids = [] }: AnyMessage = sent;
  const named = new Set(mention_user_ids.map(snowflakeOf));
  const mentions = isSilent ? shown.mentions.filter(({ id }) => named.has(id)) : shown.mentions;
  return { ...shown, mentions, ...(nonce ? { nonce } : {}) };
}

/** Changes a message of the bot; files are added to those that it has. */
export async function editMessage(call: BotCall, place: Place, id: string) {
  const { body, files } = await readBodyWithFiles(call.request);
  const input = readInput(messageInput, body);
  const { pictures: _, ...parts } = await ownMessage(call, place.serverId, input);
  const path = place.kind === "direct" ? `/dm-messages/${id}` : `/messages/${id}`;
  const isBlank = !parts.content?.trim();
  const isChanged = Object.values(parts).some((part) => part !== undefined);
  // A direct message keeps its link cards.
  const removesCards = ((input.flags ?? 0) & MessageFlags.SuppressEmbeds) !== 0 && place.kind !== "direct";
  if (isChanged) {
    await call.api.send("PATCH", path, parts).catch((error: unknown) => {
      // A content that is missing or blank is refused only where nothing would be left of the message.
      throw isBlank && error instanceof DiscordError && error.errors?.message_content ? discordError(50006) : error;
    });
  }
  if (files.length > 0) await call.api.send("POST", `${path}/attachments`, filesForm(files));
  if (removesCards) await call.api.send("DELETE", `${path}/previews`);
  const message = await call.api.get<DetailedMessage>(`${pathsOf(place).message}/${id}?${include}`);
  const isAsked = isChanged || removesCards || files.length > 0;
  if (!isAsked && message.author_id !== call.bot.userId) throw discordError(50005);
  return showMessage(showing(call), place, message);
}

async function deleteMessage(call: BotCall) {
  const place = await placeOf(call);
  const id = await messageOf(call, place);
  await call.api.send("DELETE", place.kind === "direct" ? `/dm-messages/${id}` : `/messages/${id}`);
}

const bulkInput = z.object({ messages: z.array(snowflakeInput) });
const twoWeeksMs = 14 * 86_400_000;

async function deleteMany(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind === "direct") throw discordError(50024);
  const messages = [...new Set(readInput(bulkInput, call.body).messages)];
  if (messages.length < 2 || messages.length > 100) throw discordError(50016);
  if (messages.some((snowflake) => timeOf(snowflake) < Date.now() - twoWeeksMs)) throw discordError(50034);
  const { channelId } = pathsOf(place);
  const found = await Promise.all(
    messages.map((snowflake) => call.id("message", snowflake, 10008, channelId).catch(() => null)),
  );
  const known = found.filter((id) => id !== null);
  // The id of no message asks for the right alone.
  const message_ids = known.length > 0 ? known : [channelId];
  await call.api.send("POST", `/channels/${channelId}/messages/bulk-delete`, { message_ids });
}

async function listPins(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "channel") return { messages: [], times: [] };
  const pinned = await call.api.get<DetailedMessage[]>(`/channels/${place.id}/pinned-messages?${include}`);
  return {
    messages: await showMessages(showing(call), place, pinned),
    times: pinned.map(({ pinned_at }) => pinned_at),
  };
}

/** The newer form: in pages, by the times of pinning. */
async function listPinPages(call: BotCall) {
  const limit = numberOf(call.query, "limit", { fallback: 50, min: 1, max: 50 });
  const before = Date.parse(call.query.get("before") ?? "") || Number.POSITIVE_INFINITY;
  const { messages, times } = await listPins(call);
  const items = messages
    .map((message, index) => ({ pinned_at: times[index] ?? message.timestamp, message }))
    .filter(({ pinned_at }) => Date.parse(pinned_at) < before);
  return { items: items.slice(0, limit), has_more: items.length > limit };
}

async function changePin(call: BotCall, method: "POST" | "DELETE") {
  const place = await placeOf(call);
  if (place.kind === "direct") throw discordError(50024);
  const id = await messageOf(call, place);
  await call.api.send(method, `/channels/${pathsOf(place).channelId}/messages/${id}/pin`).catch((error: unknown) => {
    // Discord reports no fault when a bot unpins a message that is not pinned.
    if (!(method === "DELETE" && error instanceof DiscordError && error.code === 0 && error.status === 404))
      throw error;
  });
}

const withMessage = "/channels/:channel_id/messages/:message_id";

export const messageRoutes = [
  route("GET", "/channels/:channel_id/messages", listMessages),
  route("GET", "/channels/:channel_id/messages/pins", listPinPages),
  route("POST", "/channels/:channel_id/messages/bulk-delete", deleteMany),
  route("GET", withMessage, getMessage),
  route("POST", "/channels/:channel_id/messages", createMessage, { takesFiles: true }),
  route(
    "PATCH",
    withMessage,
    async (call) => {
      const place = await placeOf(call);
      return editMessage(call, place, await messageOf(call, place));
    },
    { takesFiles: true },
  ),
  route("DELETE", withMessage, deleteMessage),
  route("POST", `${withMessage}/crosspost`, async () => {
    throw discordError(50024);
  }),
  route("GET", "/channels/:channel_id/pins", async (call) => (await listPins(call)).messages),
  ...["/channels/:channel_id/pins/:message_id", "/channels/:channel_id/messages/pins/:message_id"].flatMap((path) => [
    route("PUT", path, (call) => changePin(call, "POST")),
    route("DELETE", path, (call) => changePin(call, "DELETE")),
  ]),
  route("POST", "/channels/:channel_id/typing", async (call) => {
    const place = await placeOf(call);
    const { channelId } = pathsOf(place);
    // A bot without access gets the api's error.
    if (place.kind !== "direct") await call.api.get(`/channels/${channelId}`);
    await call.type(call.bot.userId, channelId);
  }),
];
