import type { Accounts } from "@parley/auth";
import { toSnowflake } from "../ids/snowflake.js";
import { unauthorized } from "./errors.js";

/** A bot that calls. */
export interface Bot {
  readonly botId: string;
  /** The id of its account, which is its application, too. */
  readonly userId: string;
  /** Its own token, as the api and the gateway take it. */
  readonly token: string;
}

/** The account's snowflake in a token that has three parts, and the bot token itself (docs/discord.md#addresses). */
export function parseToken(text: string): { account: string | null; token: string } | null {
  const parts = text.split(".");
  if (parts.length === 1) return { account: null, token: text };
  const [first = "", , token = ""] = parts;
  if (parts.length !== 3) return null;
  const account = Buffer.from(first, "base64url").toString("latin1");
  return /^\d{1,20}$/.test(account) ? { account, token } : null;
}

/**
 * The bot that a token belongs to.
 *
 * @param text of the token, with `Bot ` before it or without
 * @throws DiscordError 401
 */
export async function findBot(accounts: Pick<Accounts, "findBotByToken">, text: string): Promise<Bot> {
  const parsed = parseToken(text.replace(/^Bot\s+/i, "").trim());
  const found = parsed === null ? null : await accounts.findBotByToken(parsed.token);
  if (parsed === null || found === null) throw unauthorized();
  const { botId, userId } = found;
  if (parsed.account !== null && parsed.account !== toSnowflake(userId)) throw unauthorized();
  return { botId, userId, token: parsed.token };
}
