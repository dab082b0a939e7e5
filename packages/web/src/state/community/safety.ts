import type { ParleyClient, Report, ServerSettingsUpdateEvent } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import { type AppStore, withEntry, withRead } from "../store/app-store.js";

/** The rules and raids of servers that were opened. */
export interface ServerSafety {
  /** Reads whether the user is to accept rules, once after each READY; later there are events. */
  readRules(serverId: string): Promise<void>;
  /** Reads whether a server is under raid, once after each READY; for those who manage its raids. */
  readRaid(serverId: string): Promise<void>;
  /** Reads the open reports of a server, once after each READY; for those who review them. */
  readReports(serverId: string): Promise<void>;
  /** Accepts the rules of a server. */
  acceptRules(serverId: string): Promise<void>;
  /** SERVER_SETTINGS_UPDATE */
  settingsChanged(event: ServerSettingsUpdateEvent): void;
}

/** REPORT_CREATE and REPORT_UPDATE, as far as the open reports of the server are known. */
export function onReport(state: AppState, { id, server_id, status }: Report): AppState {
  const known = server_id === null ? undefined : state.openReports[server_id];
  if (server_id === null || known === undefined) return state;
  const others = known.filter((one) => one !== id);
  return withEntry(state, "openReports", server_id, status === "open" ? [id, ...others] : others);
}

/** Open reports that are counted; a badge says "99+" for more than 99. */
const readReportsMax = 100;

/** Makes {@link ServerSafety}. */
export function createServerSafety(client: ParleyClient, store: AppStore): ServerSafety {
  /** How many READYs there were when each was read. */
  const readAt = {
    rules: new Map<string, number>(),
    raids: new Map<string, number>(),
    openReports: new Map<string, number>(),
  };
  const once = async (part: keyof typeof readAt, serverId: string, read: () => Promise<void>) => {
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
    readReports: (serverId) =>
      once("openReports", serverId, () =>
        store.read(
          () => client.reports.list(serverId, { status: "open", limit: readReportsMax }),
          (state, reports, since) =>
            withRead(
              state,
              "openReports",
              serverId,
              reports.map(({ id }) => id),
              since,
            ),
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
