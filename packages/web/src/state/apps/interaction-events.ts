import type { InteractionMessage, InteractionState } from "@parley/client";
import { type AppState, type Interaction, without } from "../store/app-state.js";

/** Adds an interaction that the user invokes; one that is invoked again stays at its place. */
export function withInteraction(state: AppState, interaction: Interaction): AppState {
  const position = state.interactions.findIndex(({ key }) => key === interaction.key);
  const interactions =
    position === -1 ? [...state.interactions, interaction] : state.interactions.with(position, interaction);
  return { ...state, interactions };
}

/** Removes an interaction that was answered, or dismissed. */
export const withoutInteraction = (state: AppState, key: string): AppState => ({
  ...state,
  interactions: state.interactions.filter((interaction) => interaction.key !== key),
});

/**
 * INTERACTION_UPDATE about something that this page has asked. It may come several times, also after the answer, with
 * messages that follow it.
 */
export function onInteraction(
  state: AppState,
  { key, ...asked }: Pick<Interaction, "key" | "channelId" | "botUserId" | "name" | "pressed" | "body">,
  { id, state: how, message, modal }: InteractionState,
): AppState {
  const open = state.interactions.find((interaction) => interaction.key === key);
  if (how !== "answered") {
    const isCurrent = open !== undefined && open.id === id && how !== "pending";
    return isCurrent ? withInteraction(state, { ...open, state: how, error: null }) : state;
  }
  const shown = message?.ephemeral === true ? withEphemeral(state, message) : state;
  if (open === undefined || open.id !== id) return shown;
  const next = withoutInteraction(shown, key);
  return modal === null ? next : { ...next, modals: [...next.modals, { interactionId: id, asked, modal }] };
}

/** Shows an answer for the user alone; one that a bot has changed stays at its place, one that it took back goes. */
function withEphemeral(state: AppState, message: InteractionMessage): AppState {
  if (message.deleted) return withoutEphemeral(state, message);
  const list = state.ephemeral[message.channel_id] ?? [];
  const position = list.findIndex(({ id }) => id === message.id);
  const next = position === -1 ? [...list, message] : list.with(position, message);
  return { ...state, ephemeral: { ...state.ephemeral, [message.channel_id]: next } };
}

/** Removes an answer for the user alone. */
export function withoutEphemeral(state: AppState, { channel_id, id }: { channel_id: string; id: string }): AppState {
  const list = (state.ephemeral[channel_id] ?? []).filter((message) => message.id !== id);
  return { ...state, ephemeral: { ...state.ephemeral, [channel_id]: list } };
}

/** Removes the commands that were read of the channels of a server, which are read again where they are shown. */
export function withoutCommands(state: AppState, serverId: string | undefined): AppState {
  const read = Object.keys(state.commands).filter((id) => state.channels[id]?.server_id === serverId);
  return read.length === 0 ? state : { ...state, commands: without(state.commands, read) };
}
