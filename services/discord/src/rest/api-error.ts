import type { ErrorCode } from "@parley/contracts";
import { z } from "zod";
import { type DiscordCode, DiscordError, discordError, invalidForm, unauthorized } from "./errors.js";
import { globalLimit, limitedFor } from "./rate-limits.js";

const Answered = z.object({ error: z.string(), code: z.string().optional() });

/** Discord's code for a code of ours that the status alone does not determine. */
const codesOf: Partial<Record<ErrorCode, DiscordCode>> = {
  channel_not_found: 10003,
  dm_channel_not_found: 10003,
  server_not_found: 10004,
  invite_not_found: 10006,
  invite_not_found_or_expired: 10006,
  member_not_found: 10007,
  message_not_found: 10008,
  reply_target_not_found: 10008,
  override_not_found: 10009,
  role_not_found: 10011,
  user_not_found: 10013,
  dm_recipient_not_found: 50033,
  dm_with_yourself: 50033,
  emoji_not_found: 10014,
  emoji_unknown: 10014,
  webhook_not_found: 10015,
  interaction_not_found: 10062,
  command_not_found: 10063,
  event_not_found: 10070,
  already_answered: 40060,
  edit_author_only: 50005,
  poll_author_only: 50005,
  cannot_message_user: 50007,
  channel_view_required: 50001,
  roles_limit_reached: 30005,
  incoming_webhooks_limit_reached: 30007,
  emojis_limit_reached: 30008,
  channels_limit_reached: 30013,
  invites_limit_reached: 30016,
  not_in_voice_channel: 40032,
  not_in_voice: 40032,
  thread_not_found: 10003,
  thread_closed: 50083,
  malformed_json: 50109,
} as Partial<Record<ErrorCode, DiscordCode>>;

/**
 * The error that Discord would answer in place of our api's (docs/discord.md#rest).
 *
 * @param text body of the answer
 */
export function apiError(status: number, text: string, headers: Record<string, unknown>): DiscordError {
  const { error, code = "" } = Answered.catch({ error: "" }).parse(parse(text));
  if (status === 401) return unauthorized();
  if (status === 429) {
    const seconds = Number(headers["retry-after"] ?? 0);
    if (code === "slow_mode") return limitedFor(seconds, { code: 20016 });
    return code === "" ? globalLimit() : limitedFor(seconds);
  }
  const known = codesOf[code as ErrorCode];
  if (known !== undefined) return discordError(known);
  if (status === 403) return discordError(50013);
  if (status === 404) return discordError(0);
  if (status === 400 || status === 409) {
    const [, place, text = error] = /^((?:[a-z_]+|\[\d+\])(?:\.\w+|\[\d+\])*): (.+)$/s.exec(error) ?? [];
    const path = place === undefined ? [pathOf(code)] : placeOf(place);
    return invalidForm([{ path, code: "BASE_TYPE_BAD", message: text }]);
  }
  return new DiscordError(status, 0, `${status}: ${error === "" ? "Internal Server Error" : error}`);
}

/** The key of the body that a code of ours is about: `avatar_url` of `avatar_url_length`. */
function pathOf(code: string): string {
  if (code === "answer_does_not_fit") return "type";
  return code.replace(/_(length|invalid|range|scheme|required|not_boolean|unknown|taken)$/, "");
}

/** `data.embeds[1].title` in its parts. Discord's rows of components are objects, where ours are lists. */
function placeOf(place: string): (string | number)[] {
  return place
    .replace(/\bcomponents\[(\d+)\]\[(\d+)\]/, "components[$1].components[$2]")
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
