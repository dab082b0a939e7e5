import type { MessageRecord } from "../form.js";
import { secondsToMilliseconds } from "../times.js";
import type { SlackConversation, SlackMessage } from "./schema.js";

type Pin = NonNullable<MessageRecord["pinned"]>;

/** The pins of a conversation, by the `ts` of their messages. */
export type Pins = ReadonlyMap<string, Pin>;

export function pinsOf({ pins }: SlackConversation): Pins {
  return new Map(
    (pins ?? []).flatMap(({ id, created, user }) =>
      id ? [[id, { at: secondsToMilliseconds(created), by: user ?? null }] as const] : [],
    ),
  );
}

/** What a message itself says of its pin: some tools write no list of pins. */
export function pinOf({ pinned_to: pinnedTo, pinned_info: info }: SlackMessage, channel: string): Pin | null {
  if (pinnedTo?.includes(channel) !== true) return null;
  return { at: secondsToMilliseconds(info?.pinned_ts), by: info?.pinned_by ?? null };
}
