import { storedReaction } from "./emoji.js";

/**
 * Uses the form of a reaction in which it is stored: reactions of before one form was stored may have the one that was sent.
 *
 * @param sent as it is in the path
 * @param use resolves to whether there was something in that form
 * @returns whether there was in any
 */
export async function useStoredForm(sent: string, use: (emoji: string) => Promise<boolean>): Promise<boolean> {
  const stored = storedReaction(sent);
  if (await use(sent)) return true;
  return stored !== null && stored !== sent && (await use(stored));
}
