import { create } from "zustand";
import { firstSteps } from "../../device/device-storage.js";
import type { Beginner } from "../../device/schemas.js";

interface FirstSteps {
  /** By server; absent once all is done, or the card was dismissed. */
  beginners: Readonly<Record<string, Beginner>>;
  begin: (serverId: string, as: Beginner) => void;
  end: (serverId: string) => void;
}

/** The servers that were made or joined on this device and whose first steps are still shown; stored on it. */
export const useFirstSteps = create<FirstSteps>((set, get) => {
  const keep = (beginners: Readonly<Record<string, Beginner>>) => {
    firstSteps.write(beginners);
    set({ beginners });
  };
  // Read again before each change, which another tab may have made since.
  return {
    beginners: firstSteps.read(),
    begin: (serverId, as) => keep({ ...firstSteps.read(), [serverId]: as }),
    end(serverId) {
      if (get().beginners[serverId] === undefined) return;
      keep(Object.fromEntries(Object.entries(firstSteps.read()).filter(([id]) => id !== serverId)));
    },
  };
});
