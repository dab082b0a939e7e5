import type { User } from "@parley/contracts";
import { snowflakeOf } from "../ids/snowflake.js";
import { toUser } from "../objects/user.js";
import type { Shard } from "./shard.js";

/** Bits of the flags of every application (docs/discord.md#rules): it may have presences, members and contents. */
export const applicationFlags = (1 << 12) | (1 << 14) | (1 << 18);

/** The gateway's address without a query (docs/discord.md#rules). @param origin address of the installation */
export const gatewayUrl = (origin: string) => `${origin.replace(/^http/, "ws")}/discord/gateway/`;

/** READY: the servers follow. */
export function readyPayload(
  user: User,
  options: {
    version: number;
    servers: readonly string[];
    shard: Shard;
    sessionId: string;
    gatewayUrl: string;
    userId: string;
  },
) {
  return {
    v: options.version,
    user: { ...toUser({ ...user, is_bot: true }), email: null, verified: true, mfa_enabled: false, flags: 0 },
    guilds: options.servers.map((id) => ({ id: snowflakeOf(id), unavailable: true })),
    private_channels: [],
    relationships: [],
    session_id: options.sessionId,
    session_type: "normal",
    resume_gateway_url: options.gatewayUrl,
    shard: options.shard,
    application: { id: snowflakeOf(options.userId), flags: applicationFlags },
    user_settings: {},
    geo_ordered_rtc_regions: [],
  };
}
