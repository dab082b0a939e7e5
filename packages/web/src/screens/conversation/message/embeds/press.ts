import type { ButtonComponent, Message, SelectComponent } from "@parley/client";
import { useCallback } from "react";
import { mayUseApps } from "../../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../../state/app/use-app.js";
import type { Interaction } from "../../../../state/store/app-state.js";
import type { Action } from "../../../../ui/data/use-action.js";
import { useConversation } from "../../context.js";

/** Sends the bot of a message the pressed button, or the chosen values. Rejects when the server refuses. */
export type Press = (
  message: Message,
  component: ButtonComponent | SelectComponent,
  values: readonly string[],
) => Promise<void>;

/** The parts that a component needs to be pressed. */
export interface PressProps {
  message: Message;
  /** Null where nothing can be pressed. */
  press: Press | null;
}

/** How a choice is sent, and under which name it is made. */
export interface ChoosingProps {
  select: SelectComponent;
  name: string;
  choosing: Action<[readonly string[]]>;
}

/** How components are pressed; null where the user may not, which shows all but links disabled. */
export function usePress(): Press | null {
  const { interactions } = useApp();
  const { place } = useConversation();
  const mayPress = useAppState((state) => mayUseApps(state, place.id));
  const press: Press = useCallback(
    async (message, component, values) => {
      const { id: messageId, author_id: botUserId, channel_id: channelId } = message;
      const { custom_id: customId } = component;
      if (customId === null || botUserId === null) return;
      await interactions.ask({
        channelId,
        botUserId,
        name: component.type === "button" ? component.label : (component.placeholder ?? ""),
        pressed: { messageId, customId },
        body: { message_id: messageId, custom_id: customId, values: [...values] },
      });
    },
    [interactions],
  );
  return mayPress ? press : null;
}

/** Whether the bot of a component has not acknowledged the press yet. */
export const useIsWaiting = (messageId: string, customId: string | null): boolean =>
  useAppState(({ interactions }) =>
    interactions.some(({ pressed, state }) => state === "waiting" && isOf(pressed, messageId, customId)),
  );

const isOf = (pressed: Interaction["pressed"], messageId: string, customId: string | null) =>
  pressed !== null && pressed.messageId === messageId && pressed.customId === customId;
