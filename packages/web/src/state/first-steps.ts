import { create } from "zustand";

/** What somebody begins with in a server: as its owner, or as a member who has just joined. */
export type Beginner = "owner" | "member";

interface FirstSteps {
  /** By server; absent once all is done, or the card was dismissed. */
  beginners: Readonly<Record<string, Beginner>>;
  begin: (serverId: string, as: Beginner) => void;
  end: (serverId: string) => void;
}

const storageKey = "parley.first-steps";

/** The servers that were made or joined on this device and whose first steps are still shown; stored on it. */
export const useFirstSteps = create<FirstSteps>((set, get) => {
  const keep = (beginners: Readonly<Record<string, Beginner>>) => {
    localStorage.setItem(storageKey, JSON.stringify(beginners));
    set({ beginners });
  };
  return {
    beginners: stored(),
    begin: (serverId, as) => keep({ ...stored(), [serverId]: as }),
    end(serverId) {
      if (get().beginners[serverId] === undefined) return;
      keep(Object.fromEntries(Object.entries(stored()).filter(([id]) => id !== serverId)));
    },
  };
});

/** Read again before each change, which another tab may have made since. */
function stored(): Readonly<Record<string, Beginner>> {
  try {
    const entries = Object.entries(Object(JSON.parse(localStorage.getItem(storageKey) ?? "{}")));
    return Object.fromEntries(entries.flatMap(([id, as]) => (as === "owner" || as === "member" ? [[id, as]] : [])));
  } catch {
    return {};
  }
}
