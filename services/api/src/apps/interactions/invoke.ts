import type { FileUrls, InteractionTokens } from "@parley/auth";
import {
  createEvent,
  dispatchFrame,
  errorTexts,
  forbidden,
  type InteractionData,
  type InteractionMessage,
  type InteractionType,
  invalidInput,
  type NewInteraction,
  notFound,
} from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { insertInteractions, type NewInteractionRow } from "@parley/interactions";
import { type Messaging, notify, publishLive } from "@parley/messaging";
import { hasPermission, resolveAccess, resolveAccessRights } from "@parley/permissions";
import { createBatcher } from "@parley/service-runtime";
import { v7 as uuidv7 } from "uuid";
import { inChannel } from "../../access/may.js";
import { requireAll, right, sending, viewing } from "../../access/needs.js";
import { requireWriting } from "../../access/safety.js";
import { findMessage } from "../../conversations/messages/repository.js";
import { toOneMessage } from "../../conversations/messages/resource.js";
import type { May } from "../../platform/http/may.js";
import { faultText } from "../../platform/http/named-faults.js";
import { mayUse } from "../commands/service.js";
import { checkValues, findComponent, findPressed, requireSelected } from "./components.js";
import { statementBatchMax, statementsInFlightMax } from "./limits.js";
import { checkFields } from "./modal.js";
import { checkOptions, requireReferences } from "./options.js";
import { createReadInteraction } from "./read-interaction.js";
import { findContexts, findReferences, type InteractionContext, type InteractionPlace } from "./repository.js";
import type { InvokeCommand, PressComponent, SubmitModal } from "./schema.js";

/** The invoker, their channel and their language. */
export interface Invoker {
  userId: string;
  channelId: string;
  locale: string | null;
}

const invoking = [viewing, sending, right("use_apps", errorTexts.cannot_use_apps)];
/** The right to use apps in a channel; the statement that reads the context of a request checks it. */
export const mayInvoke: May<{ id: string }, Omit<Invoker, "locale">> = {
  ...inChannel(invoking),
  ask: (_stores, { userId, params }) => ({ userId, channelId: params.id }),
};

type Context = InteractionContext;

/** A request to a bot. */
interface InteractionRequest {
  type: InteractionType;
  name: string;
  data: InteractionData;
  message: InteractionMessage | null;
}

export function createInvoke(options: {
  database: Database;
  messaging: Messaging;
  tokens: InteractionTokens;
  urls: FileUrls;
}) {
  const { database, messaging, tokens, urls } = options;
  const readInteraction = createReadInteraction({ database });
  const readContext = createBatcher({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    work: (places: readonly InteractionPlace[]) => findContexts(database, places),
  });
  const insert = createBatcher({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(rows: readonly NewInteractionRow[]) {
      await insertInteractions(database, rows);
      return rows;
    },
  });

  /** @throws ServiceError by docs/protocol/apps.md#25.3 */
  const requireContext = async (place: InteractionPlace) => {
    const context = await readContext(place);
    if (context === null) throw notFound(errorTexts.channel_not_found);
    const permissions = resolveAccess(context, place.userId);
    requireAll({ permissions, rights: resolveAccessRights(context, place.userId) }, invoking);
    if (context.timed_out) throw forbidden(errorTexts.timed_out);
    requireWriting({ permissions, safety: context.safety });
    return { ...context, permissions };
  };

  const isBotThere = ({ bot }: Context, botUserId: string) =>
    bot !== null && hasPermission(resolveAccess(bot, botUserId), "VIEW_CHANNEL");

  /** Stores it, and notifies the services that bring it to the bot: gateways, or a webhook-dispatcher. */
  const begin = async (
    { userId, channelId, locale }: Invoker,
    { context, botUserId }: { context: Context & { permissions: number }; botUserId: string },
    { type, name, data, message }: InteractionRequest,
  ): Promise<{ id: string }> => {
    const id = uuidv7();
    const { server_id, profile: user, member, permissions } = context;
    const by_http = context.bot?.by_http ?? false;
    const place = { server_id, channel_id: channelId };
    const interaction: NewInteraction = {
      id,
      token: tokens.issue(id),
      type,
      ...place,
      user,
      member,
      permissions,
      locale,
      data,
      message,
    };
    const frame = dispatchFrame("INTERACTION_CREATE", JSON.stringify(interaction));
    const pressed_id = type === "component" || type === "modal" ? (message?.id ?? null) : null;
    await insert({ id, bot_user_id: botUserId, user_id: userId, ...place, type, name, frame, pressed_id, by_http });
    if (by_http) notify(messaging, "interactionsWaiting", {});
    else publishLive(messaging, createEvent("INTERACTION_PENDING", { user_id: botUserId }, {}));
    return { id };
  };

  /** The target of a command: a message of the channel, or a member; null for commands of the server. */
  const findTarget = async (context: Context, { channelId, userId }: Invoker, { target_id }: InvokeCommand) => {
    const where = context.command?.context;
    if (where === "server" || where === undefined) {
      if (target_id !== null) throw invalidInput(faultText("target_id", [], "is of commands about messages and users"));
      return null;
    }
    if (target_id === null) throw invalidInput(faultText("target_id", [], "is required"));
    if (where === "message") {
      const row = await findMessage(database, target_id);
      const isThere = row !== null && row.channel_id === channelId && !row.deleted;
      if (!isThere) throw invalidInput(faultText("target_id", [], "is no message of the channel"));
      return toOneMessage(database, row, { viewerId: userId, urls });
    }
    const found = await findReferences(database, context.server_id, { user: [target_id], channel: [], role: [] });
    if (!found.has(target_id)) throw invalidInput(faultText("target_id", [], "is no user of the server"));
    return null;
  };

  return {
    /** Uses a command of a bot, or asks it to complete an option of one. */
    async command(invoker: Invoker, asked: InvokeCommand): Promise<{ id: string }> {
      const { bot_user_id: botUserId, command_id: commandId, autocomplete } = asked;
      const context = await requireContext({ ...invoker, botUserId, commandId });
      const { command } = context;
      if (command === null || !isBotThere(context, botUserId) || !mayUse(command, context.permissions)) {
        throw notFound(errorTexts.command_not_found);
      }
      const focused = autocomplete ? asked.focused : null;
      if (autocomplete && !command.options.some((option) => option.name === focused && option.autocomplete)) {
        throw invalidInput(errorTexts.focused_invalid);
      }
      const { values, references } = checkOptions(command.options, asked.options, focused);
      if (Object.values(references).some((ids) => ids.length > 0)) {
        requireReferences(command.options, values, await findReferences(database, context.server_id, references));
      }
      const message = await findTarget(context, invoker, asked);
      const { id: command_id, name, context: where } = command;
      const data = { command_id, name, context: where, options: values, target_id: asked.target_id, focused };
      const type = autocomplete ? "autocomplete" : "command";
      return begin(invoker, { context, botUserId }, { type, name, data, message });
    },

    /** Presses a button of a message, or selects something in one. */
    async component(invoker: Invoker, { message_id, custom_id, values }: PressComponent): Promise<{ id: string }> {
      const message = await findPressed(database, { ...invoker, messageId: message_id }, urls);
      const botUserId = message?.author_id ?? invoker.userId;
      const context = await requireContext({ ...invoker, botUserId, commandId: null });
      const component = message && findComponent(message, custom_id);
      if (component === null || !isBotThere(context, botUserId)) throw notFound(errorTexts.component_not_found);
      const { values: selected, references } = checkValues(component, values);
      if (Object.values(references).some((ids) => ids.length > 0)) {
        requireSelected(component, selected, await findReferences(database, context.server_id, references));
      }
      const name = message?.interaction?.name ?? custom_id;
      const data = { custom_id, values: selected };
      return begin(invoker, { context, botUserId }, { type: "component", name, data, message });
    },

    /** Hands in a modal that a bot answered with. */
    async modal(invoker: Invoker, { interaction_id, modal_id, fields }: SubmitModal): Promise<{ id: string }> {
      const asking = await readInteraction(interaction_id);
      const place = { ...invoker, botUserId: asking?.bot_user_id ?? invoker.userId, commandId: null };
      const context = await requireContext(place);
      const isOwn =
        asking?.invoker_stays === true && asking.user_id === invoker.userId && asking.channel_id === invoker.channelId;
      const modal = isOwn ? asking.answer?.modal : undefined;
      if (asking === null || modal?.modal_id !== modal_id || !isBotThere(context, place.botUserId)) {
        throw notFound(errorTexts.interaction_not_found);
      }
      const data = { modal_id, fields: checkFields(modal, fields) };
      const { name, pressed_id: messageId } = asking;
      const message = messageId === null ? null : await findPressed(database, { ...invoker, messageId }, urls);
      return begin(invoker, { context, botUserId: place.botUserId }, { type: "modal", name, data, message });
    },
  };
}

export type Invoke = ReturnType<typeof createInvoke>;
