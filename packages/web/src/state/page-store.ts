import { createStore, type StoreApi } from "zustand/vanilla";
import { emptyPage, type PageState } from "./page-state.js";

/** The store of what the page knows. */
export type PageStore = StoreApi<PageState>;

/** Makes an empty store. */
export const createPageStore = (): PageStore => createStore(() => emptyPage);
