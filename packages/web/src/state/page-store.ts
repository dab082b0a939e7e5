import { createStore, type StoreApi } from "zustand/vanilla";
import { emptyPage, type PageState } from "./page-state.js";

/** A change of the page: what an event says, or the answer to something that the user did. */
export type Change = (state: PageState) => PageState;

/**
 * The store of what the page knows. Events and answers to requests come by different ways, so an answer can be older
 * than events that were applied while it was under way; it must not undo them.
 */
export interface PageStore extends StoreApi<PageState> {
  /** Applies a change, also to the answers that are under way. */
  apply(change: Change): void;
  /**
   * Applies what a connection begins with. What is being read is read again: no event tells what happened between its
   * answer and the beginning of the connection.
   */
  begin(change: Change): void;
  /**
   * Reads something from the server and puts it into the page. Rejects with what `request` rejects with.
   * @param put makes the next state of an answer. The answer is of a moment after the request began; `since` applies to
   *   a state everything that was applied to the page since then, of which the answer may contain some: take from it
   *   only what a change leaves as it is when it is applied twice
   */
  read<Answer>(
    request: () => Promise<Answer>,
    put: (state: PageState, answer: Answer, since: Change) => Partial<PageState>,
  ): Promise<void>;
}

/** A request under way. */
interface Read {
  /** What was applied to the page since the request began. */
  changes: Change[];
  /** Whether a connection has begun since. */
  isOutdated: boolean;
}

/** The parts of the page whose entries are read one by one. */
type EntryPart = "histories" | "threads" | "pins" | "quoted" | "emojis" | "roles" | "goLive";
type Entry = { [Part in EntryPart]: PageState[Part][string] };
type EntryParts = { readonly [Part in EntryPart]: Readonly<Record<string, Entry[Part]>> };

/** An entry that was just read, with what happened to it since; undefined when that took it away. */
export function entrySince<Part extends EntryPart>(
  state: PageState,
  part: Part,
  key: string,
  read: Entry[Part],
  since: Change,
): Entry[Part] | undefined {
  const parts: EntryParts = since(withEntry(state, part, key, read));
  return parts[part][key];
}

/** The page with an entry. */
export const withEntry = <Part extends EntryPart>(
  state: PageState,
  part: Part,
  key: string,
  entry: Entry[Part],
): PageState => ({ ...state, [part]: { ...state[part], [key]: entry } });

/** The page with an entry that was just read, unless what happened since took it away. */
export function withRead<Part extends EntryPart>(
  state: PageState,
  part: Part,
  key: string,
  read: Entry[Part],
  since: Change,
): PageState {
  const entry = entrySince(state, part, key, read, since);
  return entry === undefined ? state : withEntry(state, part, key, entry);
}

/** Makes an empty store. */
export function createPageStore(): PageStore {
  const store = createStore<PageState>(() => emptyPage);
  const underWay = new Set<Read>();
  const apply = (change: Change) => {
    for (const { changes } of underWay) changes.push(change);
    store.setState(change);
  };
  return {
    ...store,
    apply,
    begin(change) {
      for (const read of underWay) read.isOutdated = true;
      apply(change);
    },
    async read(request, put) {
      const read: Read = { changes: [], isOutdated: false };
      underWay.add(read);
      try {
        let answer = await request();
        while (read.isOutdated) {
          read.isOutdated = false;
          read.changes = [];
          answer = await request();
        }
        const since: Change = (before) => read.changes.reduce((state, change) => change(state), before);
        store.setState((state) => put(state, answer, since));
      } finally {
        underWay.delete(read);
      }
    },
  };
}
