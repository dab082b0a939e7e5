import { type DetailedMessage, errorTexts, type Message, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { requireChannel } from "../../access/may.js";
import type { Kind } from "../../conversations/core/kind.js";
import { type ToMessage, toMessage } from "../../conversations/core/may.js";
import { findMessage } from "../../conversations/messages/repository.js";
import type { FoundMessage } from "../../conversations/messages/require-message.js";
import type { UpdateMessage } from "../../conversations/messages/schema.js";
import type { MessageService } from "../../conversations/messages/service.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import type { Stores } from "../../platform/http/may.js";
import { findOwner, type Hook } from "./repository.js";

/** Messages of an incoming webhook, for requests with its token (docs/protocol/webhooks.md#25.5). */
export function createHookMessages(
  options: Stores & {
    deleteFiles: DeleteFiles;
    channelKind: Kind<FoundMessage>;
    messages: Pick<MessageService, "edit" | "details">;
  },
) {
  const { database, deleteFiles, channelKind, messages } = options;
  const asHook = (hook: Hook, messageId: string): ToMessage<FoundMessage> => {
    const find = (connection: Queryable) => requireOwn(connection, hook, messageId);
    const may = toMessage(channelKind, { ...channelKind.paths.messages, find });
    return may.ask(options, { userId: hook.user_id, session: null, params: {} });
  };
  return {
    async get(hook: Hook, messageId: string): Promise<DetailedMessage> {
      const { found } = await requireOwn(database, hook, messageId);
      const wanted = { viewerId: hook.user_id, include: ["author", "attachments", "reactions"] } as const;
      const [message] = await messages.details([found], { ...wanted, include: [...wanted.include] });
      if (message === undefined) throw notFound(errorTexts.message_not_found);
      return message;
    },
    edit: (hook: Hook, messageId: string, changes: UpdateMessage): Promise<Message> =>
      messages.edit(asHook(hook, messageId), { kind: "bot" }, changes),
    async delete(hook: Hook, messageId: string): Promise<void> {
      await deleteFiles(await asHook(hook, messageId).change(channelKind.deleting.remove));
    },
  };
}
export type HookMessages = ReturnType<typeof createHookMessages>;

/** A webhook is no member: it may do with its own messages what the owner of the server may. */
async function requireOwn(connection: Queryable, hook: Hook, messageId: string): Promise<FoundMessage> {
  const found = await findMessage(connection, messageId);
  const ownerId = found?.author_id === hook.user_id ? await findOwner(connection, found.server_id) : undefined;
  if (found === null || found.deleted || ownerId === undefined) throw notFound(errorTexts.message_not_found);
  const access = await requireChannel(connection, found.channel_id, ownerId, errorTexts.message_not_found);
  return { ...access, userId: hook.user_id, isOwner: false, found };
}
