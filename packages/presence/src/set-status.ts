import { announce } from "./announce.js";
import type { SaveDependencies, SaveTransition } from "./save.js";
import { type StatusChange, setPresence, type UserPresence } from "./status-row.js";

/** A user's presence as others see it after a change. */
export type SeenStatus = Omit<UserPresence, "user_id" | "server_ids">;

/**
 * Saves a status that a user sets, and sends it to co-members (docs/protocol/connecting.md#14.6).
 *
 * An earlier transition must not be saved after the status, or its `online` would replace the new `dnd`. So an unsaved
 * transition is saved first. A transition during this call is concurrent with it, and either order is correct.
 *
 * @param options.lease of the process that holds the user's connections; `onLost` registers them again
 * @returns null when the account is deleted
 */
export async function setStatus(
  dependencies: SaveDependencies & { save: SaveTransition },
  {
    userId,
    change,
    lease,
  }: { userId: string; change: StatusChange; lease: { id: string; onLost(): Promise<void> } | null },
): Promise<SeenStatus | null> {
  const { registry, database, save } = dependencies;
  try {
    let { lost, unsaved } = await registry.inspect(lease?.id ?? null, userId);
    if (lost && lease !== null) {
      await lease.onLost();
      unsaved = true;
    }
    if (unsaved) await save(userId);
  } catch {
    // Without Redis there are no transitions, and a status can be set all the same (docs/architecture.md#failures).
  }
  const presence = await setPresence(database, userId, change);
  if (presence === null) return null;
  await announce(dependencies, [presence]);
  const { status, custom_status, activity } = presence;
  return { status, custom_status, activity };
}
