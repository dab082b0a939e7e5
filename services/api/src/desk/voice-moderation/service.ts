import { errorTexts, forbidden, invalidInput, notFound, type VoiceState } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import type { Membership } from "@parley/moderation";
import { decideModeration, hasPermission, type ModerationBit } from "@parley/permissions";
import type { Voice } from "@parley/voice";
import type { InServer, MemberAccess } from "../../access/may.js";
import { findChannelAccess } from "../../access/repository.js";
import { requireModeratorsFactor } from "../../access/required-factor.js";
import { requireVoiceChannel } from "../../access/voice-channel.js";
import { requireLowerRank } from "../../community/roles/require-below.js";
import { getAccount } from "../../people/users/repository.js";
import { findBitsIn, findVoiceMarks, setVoiceMarks, type VoiceMarks } from "../../voice/voice/repository.js";
import type { ModerateVoice } from "./schema.js";

/**
 * Mutes, deafens, moves and disconnects a member in voice (docs/protocol/calls.md#34.6).
 *
 * @throws ServiceError 400 and 403 as other moderation; 404 for a user who is no member, a channel that is missing and,
 * for moving alone, a member who is in no voice channel of the server
 */
export type ModerateMember = (may: InServer, targetId: string, changes: ModerateVoice) => Promise<VoiceState>;

export function createVoiceModeration({ database, voice }: { database: Database; voice: Voice }): ModerateMember {
  const mark = async (may: InServer, target: Membership, changes: ModerateVoice): Promise<void> => {
    const { server_mute, server_deaf } = changes;
    await may.change(async ({ transaction, access, audit }) => {
      const before = await requireRight(transaction, access, { target, changes });
      await setVoiceMarks(transaction, target, { server_mute, server_deaf });
      if (server_mute !== undefined && server_mute !== before.server_mute) {
        await audit("voice_mute", target.userId, { server_mute });
      }
      if (server_deaf !== undefined && server_deaf !== before.server_deaf) {
        await audit("voice_deafen", target.userId, { server_deaf });
      }
    });
    // As it is now: another moderator may have changed it since.
    await voice.decide(target, (await findVoiceMarks(database, target)) ?? {});
  };

  /** @returns the member's bits in the channel */
  const requireDestination = async (userId: string, target: Membership, channelId: string): Promise<number> => {
    const access = await findChannelAccess(database, channelId, userId);
    if (access === null || access.serverId !== target.serverId) throw notFound(errorTexts.channel_not_found);
    requireVoiceChannel(access);
    const bits = await findBitsIn(database, channelId, target.userId);
    if (![access.permissions, bits].every((each) => hasPermission(each, "VIEW_CHANNEL"))) {
      throw forbidden(errorTexts.view_channel_required);
    }
    return bits;
  };

  const move = async (may: InServer, target: Membership, channelId: string, bits: number): Promise<void> => {
    const isThere = await voice.move({ ...target, channelId }, !hasPermission(bits, "SPEAK"));
    if (!isThere) throw notFound(errorTexts.not_in_voice);
    await may.change(({ audit }) => audit("voice_move", target.userId, { channel_id: channelId }));
  };

  const disconnect = async (may: InServer, { userId, serverId }: Membership): Promise<void> => {
    if (!(await voice.leaveServer(userId, serverId))) throw notFound(errorTexts.not_in_voice);
    await may.change(({ audit }) => audit("voice_disconnect", userId, {}));
  };

  return async (may, targetId, changes) => {
    const access = await may.access();
    const target = { serverId: access.serverId, userId: targetId };
    await requireRight(database, access, { target, changes });
    const { channel_id } = changes;
    // Before anything is changed: nothing is half done.
    if (channel_id !== undefined && (await voice.stateIn(targetId, access.serverId)) === null) {
      throw notFound(errorTexts.not_in_voice);
    }
    const bits = channel_id == null ? 0 : await requireDestination(access.userId, target, channel_id);
    if (changes.server_mute !== undefined || changes.server_deaf !== undefined) await mark(may, target, changes);
    if (channel_id === null) await disconnect(may, target);
    else if (channel_id !== undefined) await move(may, target, channel_id, bits);
    const state = await voice.stateIn(targetId, access.serverId);
    if (state !== null) return state;
    const { username } = await getAccount(database, targetId);
    const absent = { self_mute: false, self_deaf: false, self_video: false, self_screen: false, joined_at: null };
    const { server_mute = false, server_deaf = false } = (await findVoiceMarks(database, target)) ?? {};
    return { user_id: targetId, channel_id: null, ...absent, server_mute, server_deaf, username };
  };
}

/** @returns what moderators did to the member's voice before */
async function requireRight(
  connection: Queryable,
  access: MemberAccess,
  { target, changes }: { target: Membership; changes: ModerateVoice },
): Promise<VoiceMarks> {
  const { server_mute, server_deaf, channel_id } = changes;
  const bits: ModerationBit[] = [
    ...(server_mute === undefined && server_deaf === undefined ? [] : (["MUTE_MEMBERS"] as const)),
    ...(channel_id === undefined ? [] : (["KICK_MEMBERS"] as const)),
  ];
  const { userId: callerId, ownerId, permissions: callerPermissions } = access;
  // An empty PATCH answers the state to a caller with one of the two rights.
  if (bits.length === 0) bits.push(hasPermission(callerPermissions, "MUTE_MEMBERS") ? "MUTE_MEMBERS" : "KICK_MEMBERS");
  for (const bit of bits) {
    switch (decideModeration({ callerId, targetId: target.userId, ownerId, callerPermissions, bit })) {
      case "self":
        throw invalidInput(errorTexts.cannot_moderate_yourself);
      case "owner":
        throw forbidden(errorTexts.cannot_moderate_owner);
      case "forbidden":
        throw forbidden(errorTexts.missing_permission);
      case "allowed":
        await requireModeratorsFactor(connection, access);
    }
  }
  const marks = await findVoiceMarks(connection, target);
  if (marks === undefined) throw notFound(errorTexts.member_not_found);
  const named = { server_id: target.serverId, user_id: target.userId };
  if (access.hierarchy) await requireLowerRank(connection, access, named);
  return marks;
}
