import type { Member } from "@parley/contracts";
import { type Database, defineStatement, foldedName } from "@parley/database";
import { memberObject } from "@parley/moderation";
import type { GatewayOpcodes } from "discord-api-types/v10";
import { z } from "zod";
import { findId } from "../ids/find-id.js";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { readStoredMember, storedMemberText } from "../loading/member.js";
import { toMember } from "../objects/member.js";
import { toVoiceState } from "../objects/voice-state.js";
import type { Dispatch } from "./dispatch.js";
import { readsPresences } from "./intents.js";
import { membersInChunkMax } from "./limits.js";
import { type Lookups, membershipKey } from "./lookups.js";
import type { Payload } from "./payloads.js";
import { isOnline, toMemberPresence } from "./presence.js";
import type { Identity } from "./session-parts.js";

const row = z.object({ text: z.string() }).transform(({ text }) => readStoredMember(text));

/** Members of $1 behind the one that joined at $3 with the id $4, whose name or nickname begins with $2. */
const page = defineStatement({
  name: "discord_gateway_members_page",
  text: `SELECT ${storedMemberText} AS text FROM (
      SELECT m.* FROM members m
      WHERE m.server_id = $1::uuid AND (m.joined_at, m.user_id) > ($3::timestamptz, $4::uuid)
        AND (starts_with(m.username_lower, lower($2)) OR starts_with(${foldedName("m.nickname")}, ${foldedName("normalize($2::text, NFC)")}))
      ORDER BY m.joined_at, m.user_id LIMIT $5::integer) AS m
    ${memberObject} ORDER BY m.joined_at, m.user_id`,
  row,
});

const count = defineStatement({
  name: "discord_gateway_member_count",
  text: "SELECT member_count FROM servers WHERE id = $1::uuid",
  row: (found) => Number(found.member_count),
});

const isMember = defineStatement({
  name: "discord_gateway_is_member",
  text: "SELECT true AS is_member FROM members WHERE server_id = $1::uuid AND user_id = $2::uuid",
  row: () => true,
});

type Request = Payload<GatewayOpcodes.RequestGuildMembers>;

/** Answers to what clients ask about members. */
export type MemberRequests = ReturnType<typeof createMemberRequests>;

export function createMemberRequests({ database, lookups }: { database: Pick<Database, "query">; lookups: Lookups }) {
  /** The server of a snowflake, if the bot is a member. */
  async function serverOf({ bot }: Identity, snowflake: string): Promise<string | null> {
    const serverId = await findId(database, "server", snowflake);
    if (serverId === null) return null;
    const [found] = await database.query(isMember, [serverId, bot.userId]);
    return found === true ? serverId : null;
  }

  async function* pagesOf(serverId: string, { query, limit }: Request): AsyncGenerator<Member[]> {
    let [joinedAt, userId] = ["-infinity", "00000000-0000-0000-0000-000000000000"];
    let left = limit || Number.POSITIVE_INFINITY;
    for (;;) {
      const size = Math.min(left, membersInChunkMax);
      const members = await database.query(page, [serverId, query ?? "", joinedAt, userId, size]);
      yield members;
      left -= members.length;
      const last = members.at(-1);
      if (last === undefined || members.length < membersInChunkMax || left <= 0) return;
      [joinedAt, userId] = [last.joined_at, last.user_id];
    }
  }

  async function named(serverId: string, snowflakes: readonly string[]) {
    const ids = await Promise.all(snowflakes.map((snowflake) => findId(database, "user", snowflake)));
    const asked = ids.flatMap((userId) => (userId === null ? [] : [{ serverId, userId }]));
    const members = await lookups.members(asked);
    const found = asked.flatMap((each) => members.get(membershipKey(each)) ?? []);
    const known = new Set(found.map(({ user_id }) => snowflakeOf(user_id)));
    return { found, missing: snowflakes.filter((snowflake) => !known.has(snowflake)) };
  }

  return {
    /** GUILD_MEMBERS_CHUNK, as many as are needed; none for a server that the bot is no member of. */
    async *chunks(identity: Identity, request: Request): AsyncGenerator<Dispatch> {
      const serverId = await serverOf(identity, request.guild_id);
      if (serverId === null) return;
      const chunk = (members: readonly Member[], index: number, chunkCount: number, others: object = {}): Dispatch => ({
        t: "GUILD_MEMBERS_CHUNK",
        d: {
          guild_id: request.guild_id,
          members: members.filter(({ user_id }) => isShown({ id: user_id })).map(toMember),
          chunk_index: index,
          chunk_count: chunkCount,
          ...others,
          ...(request.presences && readsPresences(identity.intents)
            ? { presences: members.filter(isOnline).map(toMemberPresence) }
            : {}),
          ...(request.nonce ? { nonce: request.nonce } : {}),
        },
      });
      if (request.user_ids) {
        const { found, missing } = await named(serverId, request.user_ids.slice(0, 100));
        yield chunk(found, 0, 1, missing.length === 0 ? {} : { not_found: missing });
        return;
      }
      const [all = 0] = await database.query(count, [serverId]);
      const total = Math.min(request.limit || (request.query ? 0 : all), all);
      // Libraries wait for the last chunk that was announced, also when members came and went meanwhile.
      const chunkCount = Math.max(1, Math.ceil(total / membersInChunkMax));
      let index = 0;
      for await (const members of pagesOf(serverId, request)) {
        if (index < chunkCount) yield chunk(members, index, chunkCount);
        index += 1;
      }
      for (; index < chunkCount; index++) yield chunk([], index, chunkCount);
    },
    /** The answer to VOICE STATE UPDATE: there is no voice server. */
    async voiceState(identity: Identity, { guild_id }: Payload<GatewayOpcodes.VoiceStateUpdate>): Promise<Dispatch[]> {
      const { userId } = identity.bot;
      return [{ t: "VOICE_STATE_UPDATE", d: { guild_id, ...toVoiceState({ user_id: userId, channel_id: null }) } }];
    },
  };
}
