import { create } from "zustand";

/** Most messages that are deleted at once (docs/protocol/moderation.md#24.4). */
const selectedMax = 100;

interface Selection {
  /** The channel in which messages are being selected; null for none. */
  placeId: string | null;
  ids: ReadonlySet<string>;
  /** The message that was selected or unselected last: a range begins there. */
  anchor: string | null;
  begin: (placeId: string, messageId: string) => void;
  toggle: (messageId: string) => void;
  /**
   * Selects all messages from the anchor to another one.
   *
   * @param listed ids of the messages that are listed, oldest first
   */
  extend: (messageId: string, listed: readonly string[]) => void;
  end: () => void;
}

const none: Pick<Selection, "placeId" | "ids" | "anchor"> = { placeId: null, ids: new Set(), anchor: null };

/** The messages that are selected; in one channel at a time. */
export const useSelection = create<Selection>((set) => ({
  ...none,
  begin: (placeId, messageId) => set({ placeId, ids: new Set([messageId]), anchor: messageId }),
  toggle: (messageId) =>
    set(({ ids }) => {
      const next = new Set(ids);
      if (!next.delete(messageId) && next.size < selectedMax) next.add(messageId);
      return { ids: next, anchor: messageId };
    }),
  extend: (messageId, listed) =>
    set(({ ids, anchor }) => {
      const [from, to] = [listed.indexOf(anchor ?? messageId), listed.indexOf(messageId)];
      const range = listed.slice(Math.max(Math.min(from, to), 0), Math.max(from, to) + 1);
      // Nearest to the anchor first, where there are too many.
      const ordered = from <= to ? range : range.toReversed();
      return { ids: new Set([...ids, ...ordered].slice(0, selectedMax)), anchor: messageId };
    }),
  end: () => set(none),
}));
