import { createHash } from "node:crypto";
import type { APIUser } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";

/** No flag set, of whatever kind: the types of Discord's flags name single ones only. */
export const noFlags = 0 as never;

/** The fields that users are made of, from any source. */
export interface UserFields {
  readonly id: string;
  readonly username: string;
  readonly avatar_url: string | null;
  readonly display_name?: string | null | undefined;
  readonly is_bot?: boolean | undefined;
  readonly is_webhook?: boolean | undefined;
}

/** A picture's hash, as libraries put it into addresses: of the address here (docs/discord.md#rules). */
export const pictureHash = (url: string | null): string | null =>
  url === null ? null : createHash("sha256").update(url).digest("hex").slice(0, 32);

/** Discord's user. */
export function toUser({ id, username, display_name, avatar_url, is_bot, is_webhook }: UserFields): APIUser {
  return {
    id: snowflakeOf(id),
    username,
    discriminator: is_webhook ? "0000" : "0",
    global_name: display_name ?? null,
    avatar: pictureHash(avatar_url),
    public_flags: noFlags,
    ...(is_bot || is_webhook ? { bot: true } : {}),
  };
}

/** The author of a message whose account is gone (docs/discord.md#rules). */
export const goneUser = (messageId: string): APIUser =>
  toUser({ id: messageId, username: "Deleted User", avatar_url: null });
