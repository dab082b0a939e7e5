import { createEvent } from "@parley/contracts";
import { lockServer } from "@parley/moderation";
import { deleteChannel, findViewRule } from "../../../community/channels/repository.js";
import { deleteEmoji } from "../../../community/emojis/repository.js";
import { deleteRole } from "../../../community/roles/repository.js";
import { attachmentKey, emojiKey } from "../../../platform/files/storage/keys.js";
import type { Importer } from "../core/importer.js";
import { endImport } from "../core/open.js";
import { type Held, renewLease } from "../core/repository.js";
import {
  findEmptyChannels,
  findEmptyServers,
  findMadeEmojis,
  findUnusedRoles,
  forgetUndone,
  isEmptyChannel,
  undoMessages,
  undoModeration,
  undoPeople,
} from "./repository.js";

const firstId = "00000000-0000-0000-0000-000000000000";

/** Takes back what an import made and nobody has touched since (docs/protocol/moving.md#32), in batches; each may be the last of a process. */
export async function undoImport(importer: Importer, held: Held, signal: AbortSignal): Promise<void> {
  const { database, outbox, deleteFiles, deleteServer } = importer;
  const { id } = await renewLease(database, held);

  for (const replies of [true, false]) {
    for (let after = firstId; ; ) {
      signal.throwIfAborted();
      const { last, files } = await database.transaction(async (transaction) => {
        await renewLease(transaction, held);
        return undoMessages(transaction, id, { after, replies });
      });
      await deleteFiles(files.map(attachmentKey));
      if (last === null) break;
      after = last;
    }
  }

  for (const { id: channel_id, server_id } of await findEmptyChannels(database, id)) {
    signal.throwIfAborted();
    await outbox.transaction([{ server_id, channel_id }], async (transaction, emit) => {
      await renewLease(transaction, held);
      await lockServer(transaction, server_id);
      if (!(await isEmptyChannel(transaction, channel_id))) return;
      const routing = { view_rule: await findViewRule(transaction, channel_id) };
      await deleteChannel(transaction, channel_id);
      emit(createEvent("CHANNEL_DELETE", { server_id, channel_id }, { id: channel_id, server_id }, routing));
    });
  }
  for (const { id: serverId, owner_id } of await findEmptyServers(database, id)) await deleteServer(serverId, owner_id);
  for (const { id: role_id, server_id } of await findUnusedRoles(database, id)) {
    await outbox.transaction([{ server_id }], async (transaction, emit) => {
      await renewLease(transaction, held);
      await deleteRole(transaction, role_id);
      emit(createEvent("ROLE_DELETE", { server_id }, { server_id, role_id }));
    });
  }
  for (const { id: emoji_id, server_id } of await findMadeEmojis(database, id)) {
    await outbox.transaction([{ server_id }], async (transaction, emit) => {
      await renewLease(transaction, held);
      await deleteEmoji(transaction, emoji_id);
      emit(createEvent("CUSTOM_EMOJI_DELETE", { server_id }, { server_id, emoji_id }));
    });
    await deleteFiles([emojiKey(emoji_id)]);
  }
  await database.transaction(async (transaction) => {
    await renewLease(transaction, held);
    await undoModeration(transaction, id);
  });
  await undoPeople(database, id);
  await endImport(importer, held, "undone", (transaction) => forgetUndone(transaction, id));
}
