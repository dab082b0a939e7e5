import type { Member } from "@parley/contracts";
import type { APIGuildMember } from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { noFlags, toUser } from "./user.js";

/** Discord's member of a guild. */
export function toMember(member: Member): APIGuildMember {
  return { user: toUser({ ...member, id: member.user_id }), ...toMemberWithoutUser(member) };
}

/** The same as messages and interactions carry it beside a user. */
export function toMemberWithoutUser(
  member: Pick<Member, "nickname" | "roles" | "joined_at" | "timeout_expires_at">,
): Omit<APIGuildMember, "user"> {
  return {
    nick: member.nickname,
    avatar: null,
    banner: null,
    roles: member.roles.filter(isShown).map(({ id }) => snowflakeOf(id)),
    joined_at: member.joined_at,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: noFlags,
    pending: false,
    communication_disabled_until: member.timeout_expires_at,
  };
}
