import { askBeforeLeaving } from "../../ui/page/reload.js";
import { findPending, pendingKey, withOutcome, withoutPending, withPending } from "../conversations/pending.js";
import type { PendingMessage } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";
import { createKeptMessages } from "./kept-messages.js";

/**
 * The messages that are not sent yet, the same in all tabs of the browser. A message that cannot be stored is in one
 * tab only, which then asks before it is left.
 */
export interface Unsent {
  /** Shows a new message and keeps it. */
  add(message: PendingMessage): Promise<void>;
  /** The message as it is now; undefined once it was stored by the server or removed, by any tab. */
  read(nonce: string): Promise<PendingMessage | undefined>;
  /** Shows how far a message is, unless it was removed. */
  update(message: PendingMessage): Promise<void>;
  remove(message: Pick<PendingMessage, "nonce">): Promise<void>;
  /** Shows the messages that earlier pages stored. @returns them, oldest first */
  load(): Promise<PendingMessage[]>;
  /** Runs an action while no other tab has one for the same message. */
  exclusively(nonce: string, action: () => Promise<void>): Promise<void>;
  /** Removes all messages of the user. */
  forget(): Promise<void>;
  close(): void;
}

/**
 * Makes {@link Unsent}.
 *
 * @param onChange called with messages that another tab has added or changed
 */
export function createUnsent(store: AppStore, onChange: (message: PendingMessage) => void): Unsent {
  const kept = createKeptMessages();
  const pages = new BroadcastChannel("parley.unsent");
  /** Ends the question before leaving, by message that is not kept. */
  const questions = new Map<string, () => void>();
  let isClosed = false;

  const announce = (nonce: string) => {
    if (!isClosed) pages.postMessage(nonce);
  };
  const hide = (nonce: string) => {
    const shown = findPending(store.getState(), nonce);
    if (shown !== undefined) store.setState((state) => withoutPending(state, pendingKey(shown), nonce));
  };
  const endQuestion = (nonce: string) => {
    questions.get(nonce)?.();
    questions.delete(nonce);
  };
  const follow = async (nonce: string) => {
    const message = await kept.read(nonce).catch(() => null);
    if (message === null || isClosed || questions.has(nonce)) return;
    if (message === undefined) return hide(nonce);
    if (message.userId !== store.getState().me?.id) return;
    store.setState((state) => withPending(state, message));
    onChange(message);
  };
  pages.onmessage = ({ data }) => void follow(String(data));

  return {
    async add(message) {
      store.setState((state) => withPending(state, message));
      questions.set(message.nonce, askBeforeLeaving());
      const { me } = store.getState();
      if (me === null || !(await kept.add(me.id, message))) return;
      endQuestion(message.nonce);
      announce(message.nonce);
    },
    async read(nonce) {
      const shown = () => findPending(store.getState(), nonce);
      return questions.has(nonce) ? shown() : kept.read(nonce).catch(shown);
    },
    async update(message) {
      store.setState((state) => withOutcome(state, message));
      await kept.replace(message);
      announce(message.nonce);
    },
    async remove({ nonce }) {
      hide(nonce);
      endQuestion(nonce);
      await kept.remove(nonce);
      announce(nonce);
    },
    async load() {
      const { me } = store.getState();
      const messages = me === null ? [] : await kept.list(me.id);
      const added = messages.filter(({ nonce }) => findPending(store.getState(), nonce) === undefined);
      store.setState((state) => added.reduce(withPending, state));
      return added;
    },
    async exclusively(nonce, action) {
      await navigator.locks.request(`parley.unsent.${nonce}`, async () => {
        if (!isClosed) await action();
      });
    },
    async forget() {
      const { me } = store.getState();
      if (me !== null) await kept.removeAll(me.id);
    },
    close() {
      isClosed = true;
      pages.close();
      for (const nonce of [...questions.keys()]) endQuestion(nonce);
    },
  };
}
