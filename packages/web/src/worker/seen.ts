import { openSeen, type SeenStore } from "../state/seen/seen-store.js";

/** Runs an action on the page's stored copy; undefined where the browser stores nothing. */
export async function withSeen<Answer>(action: (store: SeenStore) => Promise<Answer>): Promise<Answer | undefined> {
  try {
    const store = await openSeen();
    return await action(store).finally(() => store.close());
  } catch {
    return undefined;
  }
}
