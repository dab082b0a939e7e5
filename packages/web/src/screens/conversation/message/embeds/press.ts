import type { ButtonComponent, Message, SelectComponent } from "@parley/client";

/** Tells the bot of a message what was pressed, or chosen, in it. */
export type Press = (
  message: Message,
  component: ButtonComponent | SelectComponent,
  values: readonly string[],
) => Promise<void>;

/**
 * How components are pressed; null while there is no way to, which shows all but links disabled. This is the only place that
 * knows.
 */
export const usePress = (): Press | null => null;
