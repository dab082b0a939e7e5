import type { ReactionAddEvent } from "@parley/client";
import type { Parts } from "./parts.js";

/** What no screen waits for is read after the requests of the first one. */
const laterMs = 1_500;

/**
 * Passes events to parts of the page, beside their changes in the store (`events.ts`): they read more, or wait for it.
 *
 * @returns functions that end each
 */
export function listenTo(parts: Parts): (() => void)[] {
  const {
    store,
    gateway,
    servers,
    presence,
    absence,
    details,
    sending,
    interactions,
    safety,
    people,
    notifications,
    inbox,
    drafts,
  } = parts;
  const isOwn = (userId: string | null) => userId === store.getState().me?.id;
  /** Unread messages of servers that were not opened yet are counted by channel. */
  const readChannels = ({ id }: { id: string }) => void servers.readChannels(id).catch(() => undefined);
  const readIfOwn = ({ server_id, user_id }: { server_id: string; user_id: string }) => {
    if (isOwn(user_id)) void servers.readRevealed(server_id).catch(() => undefined);
  };
  const reactionChanged = (event: ReactionAddEvent) => {
    if (!isOwn(event.user_id)) details.reactionChanged(event);
  };
  const arrived = ({ author_id, nonce }: { author_id: string | null; nonce?: string }) => {
    if (nonce !== undefined && isOwn(author_id)) sending.arrived(nonce);
  };
  const connected = () => {
    presence.renewed();
    absence.connected();
    sending.connected();
    interactions.connected();
  };
  let later: ReturnType<typeof setTimeout> | undefined;
  const readLater = () => {
    void drafts.read().catch(() => undefined);
    void inbox.readUnread().catch(() => undefined);
  };
  return [
    () => clearTimeout(later),
    gateway.on("READY", (ready) => {
      connected();
      void people.readBlocks().catch(() => undefined);
      void notifications.read().catch(() => undefined);
      clearTimeout(later);
      later = setTimeout(readLater, laterMs);
      for (const server of ready.servers) readChannels(server);
    }),
    gateway.once("READY", () => void parts.seen.recall().catch(() => undefined)),
    gateway.once("READY", () => void parts.push.renew().catch(() => undefined)),
    gateway.on("RESUMED", connected),
    gateway.on("SERVER_JOIN", ({ server }) => readChannels(server)),
    gateway.on("THREAD_MESSAGE_CREATE", details.replied),
    gateway.on("MESSAGE_CREATE", arrived),
    gateway.on("THREAD_MESSAGE_CREATE", arrived),
    gateway.on("DM_MESSAGE_CREATE", arrived),
    gateway.on("READ_STATE_UPDATE", inbox.marked),
    gateway.on("USER_UPDATE", absence.chosen),
    gateway.on("PRESENCE_UPDATE", absence.seen),
    gateway.on("DRAFT_UPDATE", drafts.received),
    gateway.on("REACTION_ADD", reactionChanged),
    gateway.on("REACTION_REMOVE", reactionChanged),
    gateway.on("DM_REACTION_ADD", reactionChanged),
    gateway.on("DM_REACTION_REMOVE", reactionChanged),
    gateway.on("INTERACTION_UPDATE", interactions.updated),
    gateway.on("SERVER_SETTINGS_UPDATE", safety.settingsChanged),
    gateway.on("MEMBER_ROLE_ADD", readIfOwn),
    gateway.on("MEMBER_ROLE_REMOVE", readIfOwn),
  ];
}
