import type { Gateway } from "@parley/client";
import type { PageStore } from "./page-store.js";
import { presenceUnknown } from "./user-events.js";

/** Asks for the presence of the users that are on the screen. */
export interface PresenceWatch {
  /** Names the users that a part of the screen shows, in place of those it named before. */
  show(part: string, userIds: readonly string[]): void;
  /** The subscription began anew with the connection. */
  renewed(): void;
}

/** Most users that a connection can name (docs/interface.md#20.1). */
const subscriptionMax = 400;
const settleMs = 120;
/** Milliseconds after which users for whom no answer came count as offline. */
const answerMs = 1_500;

/** Makes {@link PresenceWatch}. */
export function createPresenceWatch(gateway: Gateway, store: PageStore): PresenceWatch {
  const parts = new Map<string, readonly string[]>();
  const unanswered = new Set<string>();
  let subscribed: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  gateway.on("PRESENCE_UPDATE", ({ user_id }) => unanswered.delete(user_id));

  /** The server answers only for those who are not offline; until then they are shown as they were. */
  const awaitAnswers = (userIds: readonly string[]) => {
    for (const id of userIds) unanswered.add(id);
    setTimeout(() => {
      const silent = userIds.filter((id) => unanswered.delete(id));
      store.setState((state) => presenceUnknown(state, silent));
    }, answerMs);
  };

  const subscribe = () => {
    const wanted = [...new Set([...parts.values()].flat())].slice(0, subscriptionMax);
    const known = new Set(subscribed);
    const added = wanted.filter((id) => !known.has(id));
    if (added.length === 0 && wanted.length === subscribed.length) return;
    subscribed = wanted;
    for (const id of known) if (!wanted.includes(id)) unanswered.delete(id);
    gateway.subscribePresence(wanted);
    awaitAnswers(added);
  };

  return {
    show(part, userIds) {
      if (userIds.length === 0) parts.delete(part);
      else parts.set(part, userIds);
      clearTimeout(timer);
      timer = setTimeout(subscribe, settleMs);
    },
    renewed: () => awaitAnswers(subscribed),
  };
}
