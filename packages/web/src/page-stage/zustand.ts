import { create as createReal, type StateCreator, type StoreApi, type UseBoundStore } from "zustand";

export * from "zustand";

// The application has this in the place of zustand (vitest.page.config.ts): a page that is loaded again begins with stores as they were first.

const resets: (() => void)[] = [];

/** As zustand's, for stores of the whole page. */
export function create<State>(initialise: StateCreator<State>): UseBoundStore<StoreApi<State>> {
  const store = createReal<State>(initialise);
  resets.push(() => store.setState(initialise(store.setState, store.getState, store), true));
  return store;
}

/** Every store of the page as it is when its script is loaded. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
