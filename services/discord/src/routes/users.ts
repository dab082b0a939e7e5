import {
  type AnyDmChannel,
  type Member,
  type PublicProfile,
  rightNamesOf,
  type Server,
  type User,
} from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { resolveRights, resolveServerPermissions } from "@parley/permissions";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { pictureJsonBytesMax } from "../limits.js";
import { withVoice } from "../loading/member.js";
import { toDirectChannel } from "../objects/channel.js";
import { featuresOf } from "../objects/guild.js";
import { toMember } from "../objects/member.js";
import { pictureHash, toUser } from "../objects/user.js";
import { toRoleBits } from "../permissions.js";
import { isSet, numberOf, readInput, snowflakeInput } from "../rest/input.js";
import { pictureForm } from "../rest/picture.js";
import { type BotCall, route } from "../rest/route.js";

const findBits = defineStatement({
  name: "discord_bits_in_servers",
  text: `
SELECT s.id, json_build_object('permissions', s.everyone_permissions, 'rights', s.everyone_rights) AS everyone, held.*
FROM members m JOIN servers s ON s.id = m.server_id
CROSS JOIN LATERAL (SELECT coalesce(bit_or(r.permissions), 0) AS permissions, coalesce(bit_or(r.rights), 0) AS rights
  FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.server_id = s.id AND mr.user_id = m.user_id) AS held
WHERE m.user_id = $1::uuid`,
  row: z.object({
    id: z.string(),
    everyone: z.object({ permissions: z.int(), rights: z.int() }),
    permissions: z.int(),
    rights: z.int(),
  }),
});

const none = { permissions: 0, rights: 0 };

/** The bot's permissions in a server; none where it is no member. */
export async function ownPermissions({ database, bot }: BotCall, serverId: string): Promise<number> {
  const row = (await database.query(findBits, [bot.userId])).find(({ id }) => id === serverId);
  if (row === undefined) return 0;
  return resolveServerPermissions({ isOwner: false, everyone: row.everyone, roles: [row] });
}

async function ownUser({ api }: BotCall) {
  const user = await api.get<User>("/users/@me");
  return {
    ...toUser({ ...user, is_bot: true }),
    flags: 0,
    mfa_enabled: true,
    verified: true,
    email: null,
    locale: "en-US",
    banner: null,
    accent_color: null,
  };
}

async function ownGuilds({ api, database, bot, query }: BotCall) {
  const limit = numberOf(query, "limit", { fallback: 200, min: 1, max: 200 });
  const [servers, bits] = await Promise.all([api.get<Server[]>("/servers"), database.query(findBits, [bot.userId])]);
  const bitsOf = new Map(bits.map((row) => [row.id, row]));
  const [after, before] = ["after", "before"].map((name) => BigInt(query.get(name)?.match(/^\d{1,20}$/)?.[0] ?? -1));
  const listed = servers
    .filter(isShown)
    .map((server) => ({ server, id: BigInt(snowflakeOf(server.id)) }))
    .filter(({ id }) => id > (after ?? -1n) && (before === undefined || before < 0n || id < before))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = before !== undefined && before >= 0n ? listed.slice(-limit) : listed.slice(0, limit);
  return page.map(({ server }) => {
    const { everyone, ...held } = bitsOf.get(server.id) ?? { everyone: none, ...none };
    const isOwner = server.owner_id === bot.userId;
    const permissions = resolveServerPermissions({ isOwner, everyone, roles: [held] });
    const rights = rightNamesOf(resolveRights({ isOwner, permissions, everyone, roles: [held] }));
    return {
      id: snowflakeOf(server.id),
      name: server.name,
      icon: pictureHash(server.icon_url),
      banner: null,
      owner: isOwner,
      permissions: toRoleBits(permissions, rights),
      features: featuresOf(server),
      ...(isSet(query, "with_counts") ? { approximate_member_count: server.member_count } : {}),
    };
  });
}

const ownChange = z.object({ avatar: z.string().nullish(), username: z.string().min(1).max(64).nullish() });

async function changeOwnUser(call: BotCall) {
  const { avatar, username } = readInput(ownChange, call.body);
  // The name of the account stays: only that of the bot changes.
  if (username) await call.api.send("PATCH", "/bots/@me", { name: username });
  if (avatar === null) await call.api.send("PATCH", "/users/@me", { avatar_url: null });
  else if (avatar !== undefined) await call.api.send("POST", "/users/@me/avatar", pictureForm("avatar", avatar));
  return ownUser(call);
}

const directInput = z.object({ recipient_id: snowflakeInput });

export const userRoutes = [
  route("GET", "/users/@me", ownUser),
  route("PATCH", "/users/@me", changeOwnUser, { bodyBytesMax: pictureJsonBytesMax }),
  route("GET", "/users/@me/guilds", ownGuilds),
  route("GET", "/users/@me/guilds/:guild_id/member", async ({ api, bot, database, id, params }) => {
    const serverId = await id("server", params.guild_id ?? "", 10004);
    const member = await api.get<Member>(`/servers/${serverId}/members/${bot.userId}`);
    const [shown = member] = await withVoice(database, serverId, [member]);
    return toMember(shown);
  }),
  route("DELETE", "/users/@me/guilds/:guild_id", async ({ api, id, params }) => {
    await api.send("DELETE", `/servers/${await id("server", params.guild_id ?? "", 10004)}/leave`);
  }),
  route("GET", "/users/@me/channels", async () => []),
  route("POST", "/users/@me/channels", async ({ api, body, id }) => {
    const { recipient_id } = readInput(directInput, body);
    const user_id = await id("user", recipient_id, 50033);
    return toDirectChannel(await api.send<AnyDmChannel>("POST", "/dm-channels", { user_id }));
  }),
  route("GET", "/users/:user_id", async ({ api, id, params }) =>
    toUser(await api.get<PublicProfile>(`/users/${await id("user", params.user_id ?? "", 10013)}`)),
  ),
];
