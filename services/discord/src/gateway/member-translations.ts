import type { ClientEventName } from "@parley/contracts";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { type MemberFields, toMember } from "../objects/member.js";
import { toRole } from "../objects/role.js";
import { toUser } from "../objects/user.js";
import { toVoiceState } from "../objects/voice-state.js";
import type { Dispatch } from "./dispatch.js";
import { guildIdOf } from "./needs.js";
import { toPresence } from "./presence.js";
import type { Reader } from "./reader.js";
import { isInShard } from "./shard.js";
import { as, type Of, one } from "./translation-of.js";
import { withSight } from "./with-sight.js";

/** Something about a member changed, which is read again. */
const memberUpdate: Of<"MEMBER_TIMEOUT_REMOVE"> = {
  of: "guild",
  becomes: ["GUILD_MEMBER_UPDATE"],
  needs: ({ d }, needs) => needs.memberships.push({ serverId: d.server_id, userId: d.user_id }),
  make: ({ d }, found) => withGuild("GUILD_MEMBER_UPDATE", d.server_id, found.member(d.server_id, d.user_id)),
};

const memberUpdateOf = <Name extends ClientEventName>() => memberUpdate as unknown as Of<Name>;

const withGuild = (t: string, serverId: string, member: MemberFields | undefined): Dispatch[] =>
  member === undefined || !isShown({ id: member.user_id })
    ? []
    : one(t, { ...guildIdOf(serverId), ...toMember(member) });

const isOfBot = ({ user_id }: { user_id: string }, { bot }: Reader) => user_id === bot.userId;

/** A ban or its end; it names a user who is no member any more. */
const ban = (t: string): Of<"MEMBER_UNBAN"> => ({
  of: "guild",
  becomes: [t],
  needs: ({ d }, needs) => needs.named.userIds.add(d.user_id),
  make: ({ d }, found) => {
    const user = found.it.known.users.get(d.user_id);
    return user === undefined ? [] : one(t, { ...guildIdOf(d.server_id), user: toUser(user) });
  },
});

const role = (t: "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE"): Of<"ROLE_CREATE"> => ({
  of: "guild",
  becomes: [t],
  needs: ({ d }, needs) => needs.roles.add(d.id),
  make: ({ d }, found) => {
    const bot_id = found.it.roles.get(d.id)?.bot_id ?? null;
    return one(t, { ...guildIdOf(d.server_id), role: toRole({ ...d, bot_id }) });
  },
});

/** Events about members, their presence, and roles. */
export const memberTranslations = {
  PRESENCE_UPDATE: as<"PRESENCE_UPDATE">({
    of: "user",
    becomes: ["PRESENCE_UPDATE"],
    needs: ({ d }, needs) => needs.shared.add(d.user_id),
    make: ({ d }, found, { shard }) =>
      (found.it.shared.get(d.user_id) ?? [])
        .filter((serverId) => isInShard(shard, serverId))
        .map((serverId) => ({
          t: "PRESENCE_UPDATE",
          d: { user: { id: snowflakeOf(d.user_id) }, ...guildIdOf(serverId), ...toPresence(d) },
        })),
  }),
  VOICE_STATE_UPDATE: as<"VOICE_STATE_UPDATE">({
    of: "voice",
    becomes: ["VOICE_STATE_UPDATE"],
    needs: ({ d, place: { serverId } }, needs) => {
      if (serverId === null) needs.shared.add(d.user_id);
      else needs.memberships.push({ serverId, userId: d.user_id });
    },
    make: ({ d, place: { serverId } }, found, { shard }) => {
      const servers = serverId === null ? (found.it.shared.get(d.user_id) ?? []) : [serverId];
      return servers
        .filter((id) => isInShard(shard, id))
        .map((id) => {
          const member = found.member(id, d.user_id);
          const shown = toVoiceState(d);
          // The member may have been read before a moderator muted them; a state of nobody in voice says nothing of that.
          const set = shown.channel_id === null ? {} : { mute: shown.mute, deaf: shown.deaf };
          const its = member === undefined ? {} : { member: { ...toMember(member), ...set } };
          return { t: "VOICE_STATE_UPDATE", d: { ...guildIdOf(id), ...shown, ...its } };
        });
    },
  }),
  MEMBER_JOIN: as<"MEMBER_JOIN">({
    of: "guild",
    becomes: ["GUILD_MEMBER_ADD"],
    make: ({ d }, _found, { bot }) =>
      d.member.user_id === bot.userId ? [] : withGuild("GUILD_MEMBER_ADD", d.server_id, d.member),
  }),
  MEMBER_UPDATE: as<"MEMBER_UPDATE">({
    of: "guild",
    becomes: ["GUILD_MEMBER_UPDATE"],
    needs: ({ d }, needs) => needs.memberships.push({ serverId: d.server_id, userId: d.member.user_id }),
    make: ({ d }, found) => {
      const { server_mute, server_deaf } = found.member(d.server_id, d.member.user_id) ?? {};
      return withGuild("GUILD_MEMBER_UPDATE", d.server_id, { ...d.member, server_mute, server_deaf });
    },
  }),
  MEMBER_LEAVE: as<"MEMBER_LEAVE">({
    of: "guild",
    becomes: ["GUILD_MEMBER_REMOVE"],
    needs: ({ d }, needs) => needs.named.userIds.add(d.user_id),
    make: ({ d }, found, { bot }) => {
      const user = found.it.known.users.get(d.user_id) ?? { id: d.user_id, username: "Deleted User", avatar_url: null };
      return d.user_id === bot.userId
        ? []
        : one("GUILD_MEMBER_REMOVE", { ...guildIdOf(d.server_id), user: toUser(user) });
    },
  }),
  MEMBER_ROLE_ADD: withSight(isOfBot, memberUpdateOf<"MEMBER_ROLE_ADD">()),
  MEMBER_ROLE_REMOVE: withSight(isOfBot, memberUpdateOf<"MEMBER_ROLE_REMOVE">()),
  MEMBER_TIMEOUT: memberUpdateOf<"MEMBER_TIMEOUT">(),
  MEMBER_TIMEOUT_REMOVE: memberUpdate,
  MEMBER_BAN: ban("GUILD_BAN_ADD"),
  MEMBER_UNBAN: ban("GUILD_BAN_REMOVE"),
  ROLE_CREATE: role("GUILD_ROLE_CREATE"),
  ROLE_UPDATE: withSight(() => true, role("GUILD_ROLE_UPDATE")),
  ROLE_DELETE: withSight<"ROLE_DELETE">(() => true, {
    of: "guild",
    becomes: ["GUILD_ROLE_DELETE"],
    make: ({ d }) => one("GUILD_ROLE_DELETE", { ...guildIdOf(d.server_id), role_id: snowflakeOf(d.role_id) }),
  }),
} as const;
