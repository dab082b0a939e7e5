import type { CustomEmoji } from "@parley/contracts";
import type { APIEmoji, APIPartialEmoji } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import { emojiName } from "../text/names.js";

/** Emoji that are pictures of this type move. */
export const isAnimated = (contentType: string): boolean => contentType === "image/gif";

/** Discord's emoji of a guild. */
export function toEmoji({ id, name, content_type }: Pick<CustomEmoji, "id" | "name" | "content_type">): APIEmoji {
  return {
    id: snowflakeOf(id),
    name: emojiName(name),
    roles: [],
    require_colons: true,
    managed: false,
    animated: isAnimated(content_type),
    available: true,
  };
}

/** The emoji of a reaction: `c:<id>` is a custom one. */
export function toReactionEmoji(emoji: string, nameOf: (id: string) => KnownEmoji | undefined): APIPartialEmoji {
  if (!emoji.startsWith("c:")) return { id: null, name: emoji };
  const id = emoji.slice(2);
  const known = nameOf(id);
  return {
    id: snowflakeOf(id),
    name: known === undefined ? null : emojiName(known.name),
    ...(known?.animated ? { animated: true } : {}),
  };
}

/** The known fields of a custom emoji. */
export interface KnownEmoji {
  readonly id: string;
  readonly name: string;
  readonly animated: boolean;
}
