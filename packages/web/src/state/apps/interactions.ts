import type {
  BotCommands,
  CommandChoice,
  InteractionMessage,
  InteractionState,
  InteractionsInvokeBody,
  ParleyClient,
} from "@parley/client";
import { errorText } from "../../texts/error-text.js";
import { nullIfGone } from "../platform/null-if-gone.js";
import type { RequestQueue } from "../platform/request-queue.js";
import type { Asked, Interaction, OpenModal } from "../store/app-state.js";
import { type AppStore, withRead } from "../store/app-store.js";
import { onInteraction, withInteraction, withoutEphemeral, withoutInteraction } from "./interaction-events.js";

/** The user's requests to bots, and their answers, in this page. */
export interface Interactions {
  /** Asks a bot. Rejects when the server refuses; otherwise the state has the result. */
  ask(asked: Asked): Promise<void>;
  /** Asks the same again that has failed. */
  retry(interaction: Interaction): Promise<void>;
  /** Removes a failed request. */
  dismiss(interaction: Interaction): void;
  /** Removes an answer for the user alone. */
  dismissMessage(message: InteractionMessage): void;
  /** Closes a form that a bot asks for. */
  closeModal(modal: OpenModal): void;
  /** A bot's offers for an unfinished option; none when it does not answer. */
  complete(channelId: string, body: InteractionsInvokeBody): Promise<readonly CommandChoice[]>;
  /** Reads the commands of a channel's bots, unless they are known. */
  readCommands(channelId: string): Promise<void>;
  /** INTERACTION_UPDATE */
  updated(update: InteractionState): void;
  /** To be called when a connection begins or goes on: updates may have been missed. */
  connected(): void;
  close(): void;
}

/** The server says within 3.5 s that a bot did not answer; an update that is later was lost. */
const lateMs = 5_000;
/** Answered interactions whose later messages are still taken. */
const followedMax = 200;

/** Makes {@link Interactions}. */
export function createInteractions(client: ParleyClient, store: AppStore, queue: RequestQueue): Interactions {
  /** The requests of this page, by the server's ids. */
  const followed = new Map<string, (update: InteractionState) => void>();
  /** Updates that came before the answer that has the id. */
  const early = new Map<string, InteractionState>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Updates come again; a dismissed request stays away. */
  const dismissed = new Set<string>();
  let asking = 0;

  const stopWaiting = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  const updated = (update: InteractionState) => {
    const follow = followed.get(update.id);
    if (follow !== undefined) {
      if (update.state !== "pending") stopWaiting(update.id);
      follow(update);
    } else if (asking > 0) early.set(update.id, update);
  };
  const read = async (id: string): Promise<void> => {
    const failed: InteractionState = { id, state: "failed", message: null, modal: null, choices: null };
    const update = (await client.interactions.get(id).catch(nullIfGone)) ?? failed;
    updated(update);
    if (update.state === "pending") readLater(id);
  };
  const readLater = (id: string) => {
    stopWaiting(id);
    timers.set(
      id,
      setTimeout(() => void read(id).catch(() => undefined), lateMs),
    );
  };

  const invoke = async (
    channelId: string,
    body: InteractionsInvokeBody,
    began: (id: string) => (update: InteractionState) => void,
  ): Promise<void> => {
    asking += 1;
    try {
      const { id } = await client.interactions.invoke(channelId, body);
      const [oldest] = followed.keys();
      if (oldest !== undefined && followed.size >= followedMax) followed.delete(oldest);
      followed.set(id, began(id));
      readLater(id);
      const update = early.get(id);
      if (update !== undefined) updated(update);
    } finally {
      asking -= 1;
      if (asking === 0) early.clear();
    }
  };
  const begin = (key: string, asked: Asked): Promise<void> => {
    const waiting: Interaction = { ...asked, key, id: null, state: "waiting", error: null };
    store.setState((state) => withInteraction(state, waiting));
    return invoke(asked.channelId, asked.body, (id) => {
      store.setState((state) => withInteraction(state, { ...waiting, id }));
      return (update) => {
        if (update.message !== null && dismissed.has(update.message.id)) return;
        store.setState((state) => onInteraction(state, { ...asked, key }, update));
      };
    });
  };

  return {
    updated,
    async ask(asked) {
      const key = crypto.randomUUID();
      try {
        await begin(key, asked);
      } catch (error) {
        store.setState((state) => withoutInteraction(state, key));
        throw error;
      }
    },
    async retry({ key, channelId, botUserId, name, pressed, body }) {
      const asked = { channelId, botUserId, name, pressed, body };
      try {
        await begin(key, asked);
      } catch (error) {
        const failed: Interaction = { ...asked, key, id: null, state: "failed", error: errorText(error) };
        store.setState((state) => withInteraction(state, failed));
      }
    },
    dismiss: ({ key }) => store.setState((state) => withoutInteraction(state, key)),
    dismissMessage(message) {
      dismissed.add(message.id);
      store.setState((state) => withoutEphemeral(state, message));
    },
    closeModal: (modal) =>
      store.setState(({ modals }) => ({
        modals: modals.filter(({ interactionId }) => interactionId !== modal.interactionId),
      })),
    complete: (channelId, body) =>
      new Promise((resolve, reject) => {
        const began = (id: string) => (update: InteractionState) => {
          if (update.state === "pending") return;
          followed.delete(id);
          resolve(update.choices ?? []);
        };
        invoke(channelId, body, began).catch(reject);
      }),
    readCommands: (channelId) =>
      queue(`commands ${channelId}`, async () => {
        if (store.getState().commands[channelId] !== undefined) return;
        await store.read(
          () => listCommands(client, channelId),
          (state, bots, since) => withRead(state, "commands", channelId, bots, since),
        );
      }),
    connected() {
      for (const { id, state } of store.getState().interactions) {
        if (id !== null && state !== "failed") void read(id).catch(() => readLater(id));
      }
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Reads all pages: a server may have more commands than one answer. */
async function listCommands(client: ParleyClient, channelId: string): Promise<BotCommands[]> {
  const listed: BotCommands[] = [];
  let position: string | undefined;
  do {
    const { bots, next_position } = await client.commands.list(channelId, position === undefined ? {} : { position });
    listed.push(...bots);
    position = next_position;
  } while (position !== undefined);
  return listed;
}
