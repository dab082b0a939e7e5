import type { ParleyClient } from "@parley/client";
import { texts } from "../../texts/texts.js";
import type { Place } from "../conversations/histories.js";
import { pendingKey } from "../conversations/pending.js";
import { createReturnWatch } from "../platform/return-watch.js";
import { type PendingMessage, without } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";
import { createDelivery } from "./delivery.js";
import { isRepeatable, outcomeOf, StoppedError } from "./sending-outcome.js";
import { createUnsent } from "./unsent.js";

/** A message before it is sent. */
export interface Draft {
  place: Place;
  /** Root message for a reply in a thread. */
  threadId?: string;
  content: string;
  replyTo?: string;
  files?: readonly File[];
}

/**
 * Sends messages; they are shown at once. Until the server has a message it is kept in the browser, and shown in all of
 * its tabs. The tab that has the lock of its nonce sends it. When that tab is closed or crashes, another open tab goes on
 * with it, or else the tab that is opened next.
 */
export interface Sending {
  send(draft: Draft): Promise<void>;
  /** Sends a message again that waits or has failed; the server stores one message for all attempts. */
  retry(message: PendingMessage): Promise<void>;
  /** Ends the attempt of this tab at a message, which then waits for its author. */
  stop(nonce: string): void;
  /** Removes a message that is not being sent. */
  discard(message: PendingMessage): Promise<void>;
  /** Offers a message that was not sent to the composer of its place, which discards it once it has taken it. */
  takeBack(message: PendingMessage): void;
  /** The connection has begun or is back: shows the stored messages, and sends the waiting ones. */
  connected(): void;
  /** The page was opened without a connection: shows the stored messages, which wait for one. */
  disconnected(): void;
  /** The server has stored a message of the user. */
  arrived(nonce: string): void;
  /** Removes all messages of the user that are kept, as another user may log in next. */
  forget(): Promise<void>;
  close(): void;
}

/** Time limit of the question whether the server answers, in milliseconds. */
const askMsMax = 5_000;

/** Makes {@link Sending}. */
export function createSending(client: ParleyClient, store: AppStore): Sending {
  const deliver = createDelivery(client, store);
  const running = new Map<string, AbortController>();
  let isLoaded = false;

  const attempt = async (message: PendingMessage) => {
    const control = new AbortController();
    running.set(message.nonce, control);
    try {
      await deliver(message, control.signal);
      watch.answered();
      await unsent.remove(message);
    } catch (error) {
      const outcome = { ...message, ...outcomeOf(error, message) };
      await unsent.update(outcome);
      if (outcome.state === "waiting") watch.begin();
    } finally {
      running.delete(message.nonce);
    }
  };
  /** Makes another attempt, unless another tab has made one since this tab saw the message as it is given. */
  const pursue = (seen: PendingMessage) =>
    unsent.exclusively(seen.nonce, async () => {
      const message = await unsent.read(seen.nonce);
      if (message === undefined) return unsent.remove(seen);
      if (message.attempts !== seen.attempts || message.state !== seen.state) return;
      if (!isRepeatable(message, Date.now())) {
        return unsent.update({ ...message, state: "refused", error: texts.conversation.tooOld });
      }
      const next: PendingMessage = { ...message, state: "sending", attempts: message.attempts + 1, error: null };
      await unsent.update(next);
      await attempt(next);
    });
  const goOn = (message: PendingMessage) => {
    if (message.state === "sending" && !running.has(message.nonce)) void pursue(message);
    if (message.state === "waiting") watch.begin();
  };
  /** The messages without an attempt of this tab under way; it waits for an attempt of another tab. */
  const waiting = () =>
    Object.values(store.getState().pending)
      .flat()
      .filter((message) => isUnfinished(message) && !running.has(message.nonce));
  const watch = createReturnWatch(
    () => client.health.serving({ deadlineMs: askMsMax }).then(isTrue, isFalse),
    () => {
      for (const message of waiting()) void pursue(message);
    },
  );
  const unsent = createUnsent(store, goOn);
  const load = (goOnWith: (message: PendingMessage) => void) => {
    isLoaded = true;
    void unsent.load().then((messages) => {
      for (const message of messages) if (isUnfinished(message)) goOnWith(message);
    });
  };
  const connected = () => {
    if (!isLoaded) load((message) => void pursue(message));
    else if (waiting().length > 0) watch.look();
  };
  addEventListener("online", connected);

  return {
    connected,
    disconnected() {
      if (!isLoaded) load(() => watch.begin());
    },
    async send(draft) {
      const message = messageOf(draft);
      void unsent.add(message);
      await unsent.exclusively(message.nonce, () => attempt(message));
    },
    retry: pursue,
    stop: (nonce) => running.get(nonce)?.abort(new StoppedError()),
    discard: async (message) => {
      store.setState(({ takenBack }) => ({ takenBack: without(takenBack, [pendingKey(message)]) }));
      await unsent.remove(message);
    },
    takeBack: (message) =>
      store.setState(({ takenBack }) => ({ takenBack: { ...takenBack, [pendingKey(message)]: message } })),
    arrived: (nonce) => void unsent.remove({ nonce }),
    async forget() {
      for (const control of running.values()) control.abort(new StoppedError());
      await unsent.forget();
    },
    close() {
      removeEventListener("online", connected);
      watch.close();
      unsent.close();
    },
  };
}

const isTrue = () => true;
const isFalse = () => false;
const isUnfinished = ({ state }: PendingMessage) => state === "sending" || state === "waiting";

const messageOf = ({ place, threadId, content, replyTo, files = [] }: Draft): PendingMessage => ({
  nonce: crypto.randomUUID(),
  channelId: place.id,
  threadId: threadId ?? null,
  content,
  replyTo: replyTo ?? null,
  files,
  createdAt: new Date().toISOString(),
  state: "sending",
  attempts: 1,
  error: null,
});
