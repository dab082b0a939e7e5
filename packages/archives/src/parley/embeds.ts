import type { StoredEmbed } from "@parley/contracts";
import type { PostedEmbed } from "../posts/posted-message.js";
import { storedEmbeds } from "../posts/stored-embeds.js";

/** Embeds of an export, which has them as they were stored, or as they were answered. */
export const parleyEmbeds = (embeds: readonly Record<string, unknown>[]): StoredEmbed[] =>
  storedEmbeds(embeds.map((embed) => withoutNulls(embed) as PostedEmbed));

/** An absent part is null where it is stored, and absent where it is posted; addresses of this service say nothing elsewhere. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => each !== null && !key.startsWith("proxy_") && !isOwnAddress(each))
      .map(([key, each]) => [key, withoutNulls(each)]),
  );
}

const isOwnAddress = (value: unknown): boolean =>
  (typeof value === "string" && value.startsWith("attachment://")) ||
  (typeof value === "object" && value !== null && "url" in value && isOwnAddress(value.url));
