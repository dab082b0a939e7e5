import { createStore, type StoreApi } from "zustand/vanilla";
import { type AppState, emptyState } from "./app-state.js";

/** A change of the state, made from an event or from the answer to a request of the user. */
export type Change = (state: AppState) => AppState;

/**
 * The store of the state. Events and answers to requests arrive independently, so an answer may be older than
 * events that were applied during its request. {@link AppStore.read} keeps such an answer from undoing them.
 */
export interface AppStore extends StoreApi<AppState> {
  /** Applies a change to the state, and records it for the running reads. */
  apply(change: Change): void;
  /** Makes several changes and notifies the followers of the state once: each time costs the page a rendering. */
  together(act: () => void): void;
  /**
   * Applies the first change of a connection. Running reads are repeated, because changes between their answer and the
   * beginning of the connection have no events.
   */
  begin(change: Change): void;
  /**
   * Reads from the server and stores the answer. Rejects if `request` rejects.
   *
   * @param put returns the parts of the state that the answer changes. `since` applies all changes since the request
   *   began to a state. The answer may already include some of them, so `put` must use `since` only for parts on which
   *   applying a change twice has the same effect as once
   */
  read<Answer>(
    request: () => Promise<Answer>,
    put: (state: AppState, answer: Answer, since: Change) => Partial<AppState>,
  ): Promise<void>;
  /**
   * Sends a change of the user and stores the answer, as {@link AppStore.read}, but once. Events since the request stay,
   * as they may be later than the answer. Where one was earlier, the event of the change itself follows.
   */
  change<Answer>(
    request: () => Promise<Answer>,
    put: (state: AppState, answer: Answer, since: Change) => Partial<AppState>,
  ): Promise<Answer>;
}

/** A request under way. */
interface Read {
  /** The changes since the request began. */
  changes: Change[];
  /** Whether a connection has begun since the request, so that the request has to be repeated. */
  isOutdated: boolean;
}

/** The parts of the state whose entries are read one by one. */
type EntryPart =
  | "histories"
  | "threads"
  | "pins"
  | "quoted"
  | "emojis"
  | "roles"
  | "goLive"
  | "rules"
  | "raids"
  | "openReports"
  | "commands";
type Entry = { [Part in EntryPart]: AppState[Part][string] };
type EntryParts = { readonly [Part in EntryPart]: Readonly<Record<string, Entry[Part]>> };

/** An entry that was just read, with the changes since its request; undefined when one of these removed it. */
export function entrySince<Part extends EntryPart>(
  state: AppState,
  part: Part,
  key: string,
  read: Entry[Part],
  since: Change,
): Entry[Part] | undefined {
  const parts: EntryParts = since(withEntry(state, part, key, read));
  return parts[part][key];
}

/** The state with an entry. */
export const withEntry = <Part extends EntryPart>(
  state: AppState,
  part: Part,
  key: string,
  entry: Entry[Part],
): AppState => ({ ...state, [part]: { ...state[part], [key]: entry } });

/** The state with an entry that was just read, unless a change since its request removed it. */
export function withRead<Part extends EntryPart>(
  state: AppState,
  part: Part,
  key: string,
  read: Entry[Part],
  since: Change,
): AppState {
  const entry = entrySince(state, part, key, read, since);
  return entry === undefined ? state : withEntry(state, part, key, entry);
}

/**
 * Makes an empty store.
 *
 * @param beginWaitMs how long a read waits for the first connection, which would have it repeated
 */
export function createAppStore({ beginWaitMs = 0 } = {}): AppStore {
  const store = createStore<AppState>(() => emptyState);
  const listeners = new Set<Parameters<AppStore["subscribe"]>[0]>();
  const notify = (state: AppState, before: AppState) => {
    for (const listener of listeners) listener(state, before);
  };
  /** The state that followers know; null while that is the current one. */
  let notifiedState: AppState | null = null;
  let isTogether = false;
  store.subscribe((state, before) => {
    if (isTogether) notifiedState ??= before;
    else notify(state, before);
  });
  const underWay = new Set<Read>();
  let hasBegun = beginWaitMs === 0;
  let begun = () => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const apply = (change: Change) => {
    for (const { changes } of underWay) changes.push(change);
    store.setState(change);
  };
  return {
    ...store,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    apply,
    together(act) {
      isTogether = true;
      try {
        act();
      } finally {
        isTogether = false;
        const before = notifiedState;
        notifiedState = null;
        if (before !== null) notify(store.getState(), before);
      }
    },
    begin(change) {
      for (const read of underWay) read.isOutdated = true;
      apply(change);
      hasBegun = true;
      begun();
    },
    async read(request, put) {
      if (!hasBegun) await Promise.race([beginning, new Promise((resolve) => setTimeout(resolve, beginWaitMs))]);
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
    async change(request, put) {
      const sent: Read = { changes: [], isOutdated: false };
      underWay.add(sent);
      try {
        const answer = await request();
        underWay.delete(sent);
        const since: Change = (before) => sent.changes.reduce((state, change) => change(state), before);
        apply((state) => ({ ...state, ...put(state, answer, since) }));
        return answer;
      } finally {
        underWay.delete(sent);
      }
    },
  };
}
