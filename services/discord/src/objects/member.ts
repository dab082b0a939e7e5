import type { Member } from "@parley/contracts";
import type { APIGuildMember } from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { noFlags, toUser } from "./user.js";

/** What moderators did to a member's voice; nothing where it was not read. */
interface VoiceFields {
  readonly server_mute?: boolean | undefined;
  readonly server_deaf?: boolean | undefined;
}

/** The fields that members are made of, from any source. */
export type MemberFields = Member & VoiceFields;

/** Discord's member of a guild. */
export function toMember(member: MemberFields): APIGuildMember {
  return { user: toUser({ ...member, id: member.user_id }), ...toMemberWithoutUser(member) };
}

/** The same as messages and interactions carry it beside a user. */
export function toMemberWithoutUser(
  member: Pick<Member, "nickname" | "roles" | "joined_at" | "timeout_expires_at"> & VoiceFields,
): Omit<APIGuildMember, "user"> {
  return {
    nick: member.nickname,
    avatar: null,
    banner: null,
    roles: member.roles.filter(isShown).map(({ id }) => snowflakeOf(id)),
    joined_at: member.joined_at,
    premium_since: null,
    deaf: member.server_deaf ?? false,
    mute: member.server_mute ?? false,
    flags: noFlags,
    pending: false,
    communication_disabled_until: member.timeout_expires_at,
  };
}
