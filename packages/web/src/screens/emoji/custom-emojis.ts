import type { CustomEmoji } from "@parley/client";
import { useMemo } from "react";
import type { Tone } from "../../device/schemas.js";
import { useAppState } from "../../state/app/use-app.js";
import { type Emoji, inTone } from "./emoji-set.js";

/** An emoji, in its forms for texts and for reactions. */
export interface PickedEmoji {
  readonly text: string;
  /** A Unicode emoji, or `c:<custom emoji id>` (docs/protocol/objects.md#4.13). */
  readonly reaction: string;
}

const prefix = "c:";

/** A server's own emoji; null in direct messages. */
export function useCustomEmojis(serverId: string | null): readonly Emoji[] {
  const list = useAppState((state) => (serverId === null ? undefined : state.emojis[serverId]));
  return useMemo(() => (list ?? []).map(emojiOf), [list]);
}

const emojiOf = ({ id, name, url }: CustomEmoji): Emoji => ({
  sign: prefix + id,
  name: `:${name}:`,
  shortcodes: [name],
  keywords: [],
  imageUrl: url,
});

/** Whether a sign is that of a server's own emoji. */
export const isCustom = (sign: string): boolean => sign.startsWith(prefix);

/** The text and the reaction of a picked emoji. */
export function pickedOf({ sign, name }: Pick<Emoji, "sign" | "name">, tone: Tone): PickedEmoji {
  if (isCustom(sign)) return { text: name, reaction: sign };
  const emoji = inTone(sign, tone);
  return { text: emoji, reaction: emoji };
}
