import type { Gateway } from "@parley/client";
import type { AppStore } from "../store/app-store.js";
import { presenceUnknown } from "./user-events.js";

/** Subscribes to the presence of the users on the screen. */
export interface PresenceWatch {
  /** Replaces the users that a part of the screen shows. */
  show(part: string, userIds: readonly string[]): void;
  /** To be called for a new connection, on which the client has subscribed again: answers for all users are due. */
  renewed(): void;
}

/** Most users of one subscription (docs/protocol/connecting.md#20.1). */
const subscriptionMax = 400;
const subscribeDelayMs = 120;
/** Milliseconds after which users for whom no answer came count as offline. */
const answerMs = 1_500;

/** Makes {@link PresenceWatch}. */
export function createPresenceWatch(gateway: Gateway, store: AppStore): PresenceWatch {
  const parts = new Map<string, readonly string[]>();
  const unanswered = new Set<string>();
  let subscribed: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  gateway.on("PRESENCE_UPDATE", ({ user_id }) => unanswered.delete(user_id));

  /** The server answers only for users who are not offline; until then their former presence is shown. */
  const awaitAnswers = (userIds: readonly string[]) => {
    // Without a connection there is no answer; the next connection begins with all users.
    if (store.getState().connection !== "connected") return;
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
      timer = setTimeout(subscribe, subscribeDelayMs);
    },
    renewed: () => awaitAnswers(subscribed),
  };
}
