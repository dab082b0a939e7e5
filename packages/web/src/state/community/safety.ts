import type { ParleyClient, ServerSettingsUpdateEvent } from "@parley/client";
import { type AppStore, withEntry, withRead } from "../store/app-store.js";

/** The rules and raids of servers that were opened. */
export interface ServerSafety {
  /** Reads whether the user is to accept rules, once after each READY; later there are events. */
  readRules(serverId: string): Promise<void>;
  /** Reads whether a server is under raid, once after each READY; for those who manage its raids. */
  readRaid(serverId: string): Promise<void>;
  /** Accepts the rules of a server. */
  acceptRules(serverId: string): Promise<void>;
  /** SERVER_SETTINGS_UPDATE */
  settingsChanged(event: ServerSettingsUpdateEvent): void;
}

/** Makes {@link ServerSafety}. */
export function createServerSafety(client: ParleyClient, store: AppStore): ServerSafety {
  /** How many READYs there were when each was read. */
  const readAt = { rules: new Map<string, number>(), raids: new Map<string, number>() };
  const once = async (part: "rules" | "raids", serverId: string, read: () => Promise<void>) => {
    const { readyCount, [part]: known } = store.getState();
    if (readAt[part].get(serverId) === readyCount && known[serverId] !== undefined) return;
    await read();
    readAt[part].set(serverId, readyCount);
  };
  const readRules = (serverId: string) =>
    store.read(
      () => client.safety.rules(serverId),
      (state, { rules, accepted }, since) => withRead(state, "rules", serverId, accepted ? null : rules, since),
    );
  return {
    readRules: (serverId) => once("rules", serverId, () => readRules(serverId)),
    readRaid: (serverId) =>
      once("raids", serverId, () =>
        store.read(
          () => client.safety.raid(serverId),
          (state, { until }, since) => withRead(state, "raids", serverId, until, since),
        ),
      ),
    async acceptRules(serverId) {
      await client.safety.acceptRules(serverId);
      store.apply((state) => withEntry(state, "rules", serverId, null));
    },
    settingsChanged({ server_id, part }) {
      const isKnown = store.getState().rules[server_id] !== undefined;
      if (part === "moderation" && isKnown) readRules(server_id).catch(() => readAt.rules.delete(server_id));
    },
  };
}
