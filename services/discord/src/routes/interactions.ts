import type { File } from "node:buffer";
import type { DetailedMessage, InteractionMessage } from "@parley/contracts";
import { InteractionResponseType, MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { answerOfChannel, type OpenInteraction, openInteraction } from "../loading/interaction.js";
import { include, showMessage } from "../loading/messages.js";
import type { Place } from "../loading/place.js";
import { type MessageInput, messageInput } from "../objects/message-input.js";
import { fromModal, modalInput, modalPlaces } from "../objects/modal-input.js";
import { discordError, movedFaults, unsupported } from "../rest/errors.js";
import { filesForm, readBodyWithFiles } from "../rest/forms.js";
import { isSet, readInput } from "../rest/input.js";
import { type Call, openRoute } from "../rest/route.js";
import { editMessage, ownMessage, requireSomething, showing } from "./messages.js";

const callbackInput = z.object({ type: z.int(), data: z.unknown().optional() });
const choicesInput = z.object({
  choices: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })).nullish(),
});
const Answered = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;

async function placeOf({ row }: OpenInteraction): Promise<Place> {
  const { channel_id: id, server_id: serverId } = await row();
  return { kind: "channel", id, serverId };
}
const isEphemeral = ({ flags }: Pick<MessageInput, "flags">) => ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

const placing =
  (move: Parameters<typeof movedFaults>[1]) =>
  (error: unknown): never => {
    throw movedFaults(error, move);
  };

/** Files have no place beside a message that is stored with its interaction. @throws DiscordError 50035 for any */
function refuseFiles(files: readonly File[]): void {
  if (files.length > 0) throw unsupported(["files"], "A file of an answer for the invoker alone");
}

/** Where the api takes answers, and has the latest that only the invoker sees. */
const answerPath = ({ id, token }: OpenInteraction) => `/interactions/${id}/${token}/answer`;
const ephemeralPath = (open: OpenInteraction, isOriginal: boolean) =>
  `${answerPath(open)}${isOriginal ? "?original=true" : ""}`;

/**
 * Gives an answer to the api, and the files of a message after it. Faults are named by their places in the data of it.
 *
 * @returns UUID of the message of the channel
 */
async function give(open: OpenInteraction, answer: object, files: readonly File[] = []): Promise<string | null> {
  const { api } = open.call;
  const { message_id } = await api
    .send<{ message_id: string | null }>("POST", answerPath(open), answer)
    .catch(placing((path) => (path[0] === "data" ? path.slice(1) : path)));
  if (message_id !== null && files.length > 0) {
    const asBot = await open.asBot();
    await asBot.api.send("POST", `/messages/${message_id}/attachments`, filesForm(files));
  }
  return message_id;
}

/** A message of the channel by its UUID, or the one for the invoker alone: the latest, or the first. */
async function shownAnswer(open: OpenInteraction, messageId: string | null, isOriginal = false) {
  const [asBot, place] = await Promise.all([open.asBot(), placeOf(open)]);
  if (messageId !== null) {
    const message = await asBot.api.get<DetailedMessage>(`/channels/${place.id}/messages/${messageId}?${include}`);
    if (message.deleted) throw discordError(10008);
    return showMessage(showing(asBot), place, message);
  }
  const { ephemeral, original } = await open.row();
  const shown = isOriginal ? original : ephemeral;
  if (shown === null || shown.deleted) throw discordError(10008);
  return showMessage(showing(asBot), place, shown);
}

const partsOf = ({ call, row }: OpenInteraction, input: MessageInput) =>
  ownMessage(call, async () => (await row()).server_id, input);

async function giveMessage(open: OpenInteraction, data: unknown, files: readonly File[], followUp: boolean) {
  const input = readInput(messageInput, data ?? {});
  requireSomething(input, files.length);
  if (files.length > 0) {
    const { state, is_ephemeral } = await open.row();
    if (state === "deferred" ? is_ephemeral : isEphemeral(input)) refuseFiles(files);
  }
  if (input.poll) throw unsupported(["poll"], "A poll in an answer");
  const { content, embeds, components } = await partsOf(open, input);
  // Files come after their message, which says something by itself (docs/protocol/objects.md#4.11).
  const text = !content && !embeds?.length && !components?.length ? "\u200b" : (content ?? "");
  const message = { content: text, embeds, components, ephemeral: isEphemeral(input) };
  return give(open, { type: "message", data: message, ...(followUp ? { follow_up: true } : {}) }, files);
}

async function giveUpdate(open: OpenInteraction, data: unknown, files: readonly File[]) {
  const input = readInput(messageInput, data ?? {});
  const { content, embeds, components } = await partsOf(open, input);
  const row = await open.row();
  if (row.pressed_alone) refuseFiles(files);
  // The modal of a component changes the message of that.
  const type = row.type === "component" ? "update" : "acknowledge";
  return give(open, { type, data: { content, embeds, components } }, files);
}

async function callback(call: Call) {
  const open = openInteraction(call);
  if (snowflakeOf(open.id) !== call.params.interaction_id) throw discordError(10062);
  const { body, files } = await readBodyWithFiles(call.request);
  const { type, data } = readInput(callbackInput, body);
  const inData = placing((path) => (path[0] === "type" || path[0] === "files" ? path : ["data", ...path]));
  const messageId = await answerOf(open, type, data, files).catch(inData);
  if (!isSet(call.query, "with_response")) return undefined;
  const isMessage =
    type === InteractionResponseType.ChannelMessageWithSource || type === InteractionResponseType.UpdateMessage;
  const answered = openInteraction(call);
  const message = isMessage ? await shownAnswer(answered, messageId) : undefined;
  const row = await answered.row();
  return {
    interaction: {
      id: call.params.interaction_id,
      type: Answered[row.type],
      response_message_loading: type === InteractionResponseType.DeferredChannelMessageWithSource,
      response_message_ephemeral: row.is_ephemeral,
      ...(message === undefined ? {} : { response_message_id: message.id }),
    },
    resource: { type, ...(message === undefined ? {} : { message }) },
  };
}

async function answerOf(open: OpenInteraction, type: number, data: unknown, files: readonly File[]) {
  switch (type) {
    case InteractionResponseType.Pong:
      await open.row();
      return null;
    case InteractionResponseType.ChannelMessageWithSource:
      return giveMessage(open, data, files, false);
    case InteractionResponseType.DeferredChannelMessageWithSource:
      return give(open, { type: "deferred", data: { ephemeral: isEphemeral((data ?? {}) as MessageInput) } });
    case InteractionResponseType.DeferredMessageUpdate:
      return give(open, { type: "acknowledge" });
    case InteractionResponseType.UpdateMessage:
      return giveUpdate(open, data, files);
    case InteractionResponseType.ApplicationCommandAutocompleteResult: {
      const { choices } = readInput(choicesInput, data ?? {});
      const given = { type: "choices", data: (choices ?? []).map(({ name, value }) => ({ name, value })) };
      return give(open, given).catch(placing((path) => (typeof path[0] === "number" ? ["choices", ...path] : path)));
    }
    case InteractionResponseType.Modal: {
      const input = readInput(modalInput, data ?? {});
      return give(open, { type: "modal", data: fromModal(input) }).catch(placing(modalPlaces(input)));
    }
    default:
      throw unsupported(["type"], `The type ${type}`);
  }
}

/** A further message, or the first one of an answer that was deferred. */
export async function followUp(call: Call) {
  const open = openInteraction(call);
  const { body, files } = await readBodyWithFiles(call.request);
  const { state } = await open.row();
  if (state === "pending") throw discordError(10015);
  const id = await giveMessage(open, body, files, state !== "deferred");
  return shownAnswer(openInteraction(call), id);
}

/** An answer in the path: a message of the channel by its UUID, or null for one for the invoker alone. */
interface AnswerInPath {
  readonly id: string | null;
  /** Whether it is the first of those for the invoker alone, and not the latest. */
  readonly isOriginal: boolean;
}

/** The message in the path: `@original` is the first answer, of a component that was acknowledged the message of that. */
async function answerInPath(open: OpenInteraction): Promise<AnswerInPath> {
  const row = await open.row();
  // The address begins with the first answer.
  if (row.state === "pending") throw discordError(10015);
  const snowflake = open.call.params.message_id ?? "";
  const { ephemeral, original, original_id: id } = row;
  const names = (message: InteractionMessage | null) => message !== null && snowflakeOf(message.id) === snowflake;
  if (snowflake === "@original" ? original !== null : names(original)) return { id: null, isOriginal: true };
  if (names(ephemeral)) return { id: null, isOriginal: false };
  if (snowflake !== "@original") return { id: await answerOfChannel(open, snowflake), isOriginal: false };
  if (id !== null) return { id, isOriginal: true };
  // An api of the version before answered.
  if (ephemeral !== null) return { id: null, isOriginal: false };
  if (row.type === "component" && row.state === "answered") return { id: row.pressed_id, isOriginal: false };
  throw discordError(10008);
}

async function getAnswer(call: Call) {
  const open = openInteraction(call);
  const { id, isOriginal } = await answerInPath(open);
  return shownAnswer(open, id, isOriginal);
}

async function editAnswer(call: Call) {
  const open = openInteraction(call);
  if ((await open.row()).state === "deferred" && call.params.message_id === "@original") {
    const { body, files } = await readBodyWithFiles(call.request);
    return shownAnswer(openInteraction(call), await giveMessage(open, body, files, false));
  }
  const { id, isOriginal } = await answerInPath(open);
  if (id !== null) return editMessage(await open.asBot(), await placeOf(open), id);
  const { body, files } = await readBodyWithFiles(call.request);
  refuseFiles(files);
  const { pictures: _, ...parts } = await partsOf(open, readInput(messageInput, body));
  const isChanged = Object.values(parts).some((part) => part !== undefined);
  if (isChanged) await call.api.send("PATCH", ephemeralPath(open, isOriginal), parts);
  return shownAnswer(openInteraction(call), null, isOriginal);
}

async function deleteAnswer(call: Call) {
  const open = openInteraction(call);
  const { id, isOriginal } = await answerInPath(open);
  if (id === null) {
    await call.api.send("DELETE", ephemeralPath(open, isOriginal));
    return;
  }
  const { api } = await open.asBot();
  await api.send("DELETE", `/messages/${id}`);
}

const withMessage = "/webhooks/:webhook_id/:token/messages/:message_id";

/** Whether the address of a webhook is that of an application and an interaction's token. */
export const isInteraction = ({ params }: Pick<Call, "params">) => (params.token ?? "").length > 64;

/** Routes of answers; those of webhooks have the same addresses. */
export const interactionAnswers = { followUp, getAnswer, editAnswer, deleteAnswer, withMessage };

export const interactionRoutes = [
  openRoute("POST", "/interactions/:interaction_id/:token/callback", callback, { takesFiles: true }),
];
