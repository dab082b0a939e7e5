import type { FileUrls, InteractionTokens } from "@parley/auth";
import {
  conflict,
  errorTexts,
  type InteractionMessage,
  type InteractionState,
  invalidInput,
  notFound,
  rateLimited,
  ServiceError,
} from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import {
  type AnsweredInteraction,
  type InteractionRow,
  type NewAnswer,
  requireAnswerable,
  storeAnswer,
} from "@parley/interactions";
import type { TokenBucket } from "@parley/redis";
import { v7 as uuidv7 } from "uuid";
import type { Conversations } from "../../conversations/feature.js";
import { appKeys, requireSmallParts } from "../../conversations/messages/embeds.js";
import type { SendMessage } from "../../conversations/messages/send.js";
import type { May, Stores } from "../../platform/http/may.js";
import { type AnnounceState, toState } from "./announce.js";
import { createReadInteraction } from "./read-interaction.js";
import type { Answer, MessageData, UpdateData, WhichAnswer } from "./schema.js";
import { findReplaced, updatedMessage } from "./update.js";

type ExpectedState = AnsweredInteraction["expected"];

export function createAnswers(
  options: Stores & {
    tokens: InteractionTokens;
    send: SendMessage;
    messages: Conversations["messages"];
    announce: AnnounceState;
    followUps: Pick<TokenBucket, "take">;
    urls: FileUrls;
  },
) {
  const { database, tokens, send, messages, announce, followUps, urls } = options;
  const readInteraction = createReadInteraction({ database });

  /** Stores an answer that is no new message of the channel. */
  const store = async (row: InteractionRow, expected: ExpectedState, answer: NewAnswer): Promise<void> => {
    const stored = await requireStored(database, row, expected, answer);
    announce(stored, await toState(database, stored, urls));
  };

  /** @throws ServiceError 404 when the token is wrong, or the interaction takes no answers any more */
  const requireOpen = async (id: string, token: string): Promise<InteractionRow> => {
    const row = tokens.isValid(id, token) ? await readInteraction(id) : null;
    const isOver = row === null || row.state === "failed" || !row.invoker_stays || !row.bot_stays;
    if (isOver) throw notFound(errorTexts.interaction_not_found);
    return row;
  };

  /** Stores the latest answer anew, or the first one, if only the invoker sees it. */
  const changeEphemeral = async (
    id: string,
    token: string,
    { original }: WhichAnswer,
    changed: (message: InteractionMessage) => InteractionMessage,
  ): Promise<InteractionMessage> => {
    const row = await requireOpen(id, token);
    const before = row.state === "answered" ? (original ? row.original : row.answer?.message) : undefined;
    if (!before || before.deleted) throw notFound(errorTexts.message_not_found);
    const message = changed(before);
    await store(row, "answered", { state: "answered", stored: { message }, isEphemeral: true });
    return message;
  };

  /** Stores that nothing comes of it: the message that it began with is its answer, where there is one. */
  const acknowledge = async (row: InteractionRow): Promise<string | null> => {
    const replaced = row.pressed_id === null ? null : await findReplaced(database, row).catch(nullIfGone);
    const message = replaced?.ephemeral ?? null;
    const messageId = message === null ? replaced?.messageId : undefined;
    const stored = message === null ? null : { message };
    await store(row, "pending", { state: "answered", stored, isEphemeral: message !== null, messageId });
    return messageId ?? null;
  };

  /** Replaces the message that the component is of. One of the channel is edited together with the new state, or not at all. */
  const update = async (row: InteractionRow, data: UpdateData): Promise<string | null> => {
    const replaced = await findReplaced(database, row);
    if (replaced.ephemeral !== null) {
      const message = updatedMessage(replaced.ephemeral, data, urls);
      await store(row, "pending", { state: "answered", stored: { message }, isEphemeral: true });
      return null;
    }
    const { messageId } = replaced;
    const answer = { state: "answered", stored: null, isEphemeral: false, messageId } as const;
    const bot = { userId: row.bot_user_id, params: { id: messageId }, session: null };
    await messages.edit(messages.editing.may.ask(options, bot), { kind: "bot" }, data, async (transaction) => {
      await requireStored(transaction, row, "pending", answer);
    });
    const answered = { ...row, state: answer.state, message_id: messageId, answer: null };
    announce(answered, await toState(database, answered, urls));
    return messageId;
  };

  /** Sends a message of the bot to the channel, by the ordinary way. The message and the new state are stored together. */
  const sendMessage = async (row: InteractionRow, expected: ExpectedState, data: MessageData): Promise<string> => {
    const { id, bot_user_id: authorId, channel_id: channelId } = row;
    const { content, embeds, components } = data;
    const interaction = interactionOf(row, expected);
    const { message } = await send({ authorId, channelId, content, embeds, components, mayEmbed: true, interaction });
    const state: InteractionState = { id, state: "answered", message, modal: null, choices: null };
    announce(row, state);
    return message.id;
  };

  const answerMessage = async (row: InteractionRow, data: MessageData, isFollowUp: boolean): Promise<string | null> => {
    const expected = expectedOf(row, isFollowUp);
    if (expected === "answered") {
      const { allowed, retryAfterSeconds } = await followUps.take(row.bot_user_id);
      if (!allowed) throw rateLimited("interaction_answers", errorTexts.rate_limited, retryAfterSeconds);
    }
    const isEphemeral = expected === "deferred" ? row.is_ephemeral : data.ephemeral;
    if (!isEphemeral) return sendMessage(row, expected, data);
    requireSmallParts(data, urls);
    const message = ephemeralMessage(row, data, urls);
    await store(row, expected, { state: "answered", stored: { message }, isEphemeral });
    return null;
  };

  /** The right to read an interaction's state: of its invoker, as long as they may view the place where it began. */
  const mayRead: May<{ id: string }, { access(): Promise<InteractionState> }> = {
    right: "invoker of the interaction",
    errors: { not_found: [errorTexts.interaction_not_found] },
    ask: (_stores, { userId, params }) => ({
      async access() {
        const row = await readInteraction(params.id);
        if (row === null || row.user_id !== userId || !row.invoker_stays)
          throw notFound(errorTexts.interaction_not_found);
        return toState(database, row, urls);
      },
    }),
  };

  return {
    /** Answers an interaction; of two answers at once one is the first. */
    async answer(id: string, token: string, answer: Answer): Promise<{ message_id: string | null }> {
      const row = await requireOpen(id, token);
      requireFit(row, answer);
      if (answer.type === "message") {
        return { message_id: await answerMessage(row, answer.data, answer.follow_up) };
      }
      if (row.state !== "pending") throw conflict(errorTexts.already_answered);
      if (answer.type === "acknowledge" && answer.data === null) return { message_id: await acknowledge(row) };
      if (answer.type === "update" || answer.type === "acknowledge")
        return { message_id: await update(row, answer.data ?? {}) };
      if (answer.type === "deferred") {
        await store(row, "pending", { state: "deferred", stored: null, isEphemeral: answer.data.ephemeral });
      } else {
        const stored = answer.type === "modal" ? { modal: answer.data } : { choices: answer.data };
        await store(row, "pending", { state: "answered", stored, isEphemeral: false });
      }
      return { message_id: null };
    },

    /** Changes the latest answer, or the first one, which keeps its id; absent parts stay. */
    edit: (id: string, token: string, which: WhichAnswer, data: UpdateData): Promise<InteractionMessage> =>
      changeEphemeral(id, token, which, (message) => updatedMessage(message, data, urls)),

    /** Takes back the latest answer, or the first one: the invoker gets it as a deleted message. */
    async withdraw(id: string, token: string, which: WhichAnswer): Promise<void> {
      await changeEphemeral(id, token, which, ({ embeds: _, components: __, ...message }) => ({
        ...message,
        content: "",
        deleted: true,
      }));
    },

    mayRead,
  };
}

export type Answers = ReturnType<typeof createAnswers>;

function nullIfGone(error: unknown): null {
  if (error instanceof ServiceError && error.kind === "not_found") return null;
  throw error;
}

const interactionOf = ({ id, user_id, name }: InteractionRow, expected: ExpectedState): AnsweredInteraction => ({
  id,
  user_id,
  name,
  expected,
});

/**
 * The second of two concurrent answers fails, because the first one changes the state.
 *
 * @throws ServiceError 404 when it takes no answers any more, 409 when it has another state than expected
 */
async function requireStored(connection: Queryable, row: InteractionRow, expected: ExpectedState, answer: NewAnswer) {
  const stored = await storeAnswer(connection, { id: row.id, expected }, answer);
  if (stored !== null) return stored;
  await requireAnswerable(connection, interactionOf(row, expected));
  throw conflict(errorTexts.already_answered);
}

/** How an interaction has to stand for a message: it is the first answer, completes a deferred one, or follows up. */
function expectedOf({ state }: InteractionRow, isFollowUp: boolean): ExpectedState {
  if (state === "deferred") return "deferred";
  if (state === "pending") {
    if (isFollowUp) throw invalidInput(errorTexts.answer_does_not_fit);
    return "pending";
  }
  if (!isFollowUp) throw conflict(errorTexts.already_answered);
  return "answered";
}

/** @throws ServiceError 400 for an answer of a type that the interaction does not take */
function requireFit({ type }: InteractionRow, answer: Answer): void {
  const fits =
    (answer.type === "choices") === (type === "autocomplete") &&
    !(answer.type === "modal" && type === "modal") &&
    !(answer.type === "update" && type !== "component") &&
    !(answer.type === "acknowledge" && type !== "component" && type !== "modal") &&
    !(answer.follow_up && answer.type !== "message");
  if (!fits) throw invalidInput(errorTexts.answer_does_not_fit);
}

/** A message that is stored with the interaction alone. */
function ephemeralMessage(
  { id, bot_user_id, user_id, channel_id, name }: InteractionRow,
  { content, ...parts }: MessageData,
  urls: FileUrls,
): InteractionMessage {
  const messageId = uuidv7();
  return {
    id: messageId,
    channel_id,
    author_id: bot_user_id,
    content,
    reply_to: null,
    mention_user_ids: [],
    mention_everyone: false,
    thread_id: null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: new Date().toISOString(),
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
    interaction: { id, user_id, name },
    ...appKeys(parts, urls, messageId),
    ephemeral: true,
  };
}
