import { type Channel, caps, createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { requireBelowCap } from "../../access/caps.js";
import type { InChannel, InServer, MemberAccess } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { findViewableChannels } from "../../access/repository.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { withVoiceCleanup } from "../../voice/voice/with-voice-cleanup.js";
import { countChannels, deleteChannel, findViewRule, insertChannel, updateChannel } from "./repository.js";
import { toChannel } from "./resource.js";
import type { CreateChannel, UpdateChannel } from "./schema.js";

/** The right to create, change and delete channels. */
export const manageChannels = permission("MANAGE_CHANNELS", errorTexts.manage_channels_required);

export function createChannelService(options: { database: Database; voice: Voice; logger: Logger }) {
  const { database, voice, logger } = options;
  return {
    /** Channels of a server that the caller may view, in display order. */
    async list({ serverId, userId }: MemberAccess): Promise<Channel[]> {
      return (await findViewableChannels(database, serverId, userId)).map(toChannel);
    },

    create(may: InServer, channel: CreateChannel): Promise<Channel> {
      return may.change(async ({ transaction, emit, access: { serverId }, audit }) => {
        requireBelowCap(caps.channels, await countChannels(transaction, serverId));
        const row = await insertChannel(transaction, serverId, channel);
        if (row === undefined) throw notFound(errorTexts.server_not_found);
        await audit("channel_create", row.id, { name: row.name, type: row.type });
        const created = toChannel(row);
        // The channel has no id yet when keys are locked. A process that writes events of the channel publishes those
        // of its server first.
        const routing = { order_key: serverId };
        emit(createEvent("CHANNEL_CREATE", { server_id: serverId, channel_id: row.id }, created, routing));
        return created;
      });
    },

    update(may: InChannel, { type, ...changes }: UpdateChannel): Promise<Channel> {
      return may.change(async ({ transaction, emit, access: { channel, serverId }, audit }) => {
        if (type !== undefined && type !== channel.type) throw invalidInput(errorTexts.channel_type_fixed);
        if (changes.user_limit !== undefined && channel.type !== "voice") {
          throw invalidInput(errorTexts.not_voice_channel);
        }
        const row = await updateChannel(transaction, channel.id, changes);
        const { name, topic, category, position } = row;
        const { slow_mode_seconds, user_limit } = changes;
        const details = { name, topic, category, position };
        await audit("channel_update", row.id, {
          ...details,
          ...(slow_mode_seconds !== undefined && { slow_mode_seconds }),
          ...(user_limit !== undefined && { user_limit }),
        });
        const changed = toChannel(row);
        if (!isEmptyChange(changes)) {
          emit(createEvent("CHANNEL_UPDATE", { server_id: serverId, channel_id: row.id }, changed));
        }
        return changed;
      });
    },

    async delete(may: InChannel): Promise<void> {
      const { channel } = await may.access();
      const { id, server_id, name } = channel;
      const remove = () =>
        may.change(async ({ transaction, emit, audit }) => {
          const routing = { view_rule: await findViewRule(transaction, id) };
          await deleteChannel(transaction, id);
          emit(createEvent("CHANNEL_DELETE", { server_id, channel_id: id }, { id, server_id }, routing));
          await audit("channel_delete", id, { name });
        });
      await withVoiceCleanup(logger, () => voice.clearChannel(id), remove);
    },
  };
}

export type ChannelService = ReturnType<typeof createChannelService>;
