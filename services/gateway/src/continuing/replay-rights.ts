import type { ReceivedEvent } from "@parley/messaging";
import { within } from "@parley/service-runtime";
import { channelOf, isAudienceLoaded, isInAudience } from "../fan-out/audience.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { replayRightsTimeoutMs } from "../limits.js";

interface Load {
  channels: Set<string | null>;
  /** Whether the replay needs to know owner and administrators. */
  readers: boolean;
}

/** Connections that continue at about the same time share one task of the server's queue, and its statements. */
export class ReplayRights {
  readonly #loads = new WeakMap<ServerEntry, Load & { loaded: Promise<void> }>();

  constructor(private readonly options: { hub: Pick<Hub, "load" | "removeIfEmpty"> }) {}

  /**
   * Selects those of a server's events that a user may see by the rights of now (docs/protocol/continuing.md#19.2).
   *
   * @throws when the permissions cannot be read in time
   */
  async selectVisible(
    server: ServerEntry,
    user: UserEntry,
    events: readonly ReceivedEvent[],
  ): Promise<ReceivedEvent[]> {
    if (!events.every((event) => isAudienceLoaded(server, event))) {
      const channels = new Set(events.flatMap((event) => [channelOf(event), event.exceptViewersOf]));
      const readers = events.some(({ limits }) => limits?.readers !== undefined);
      await within(this.#load(server, { channels, readers }), replayRightsTimeoutMs, () => {
        throw new Error("the permissions of a server could not be read in time");
      });
    }
    return events.filter((event) => isInAudience(server, event, user));
  }

  #load(server: ServerEntry, { channels, readers }: Load): Promise<void> {
    const { hub } = this.options;
    const known = this.#loads.get(server);
    if (known !== undefined) {
      for (const channelId of channels) known.channels.add(channelId);
      known.readers ||= readers;
      return known.loaded;
    }
    let resolve = () => {};
    const loaded = new Promise<void>((resolved) => {
      resolve = resolved;
    });
    const wanted = { channels: new Set(channels), readers, loaded };
    this.#loads.set(server, wanted);
    server.queue.add(async () => {
      // A later call needs statements that begin after it.
      this.#loads.delete(server);
      for (const channelId of wanted.channels) {
        if (!server.isLoaded(channelId)) await hub.load(server, channelId);
      }
      if (wanted.readers && !server.areRulesLoaded) await hub.load(server, null);
      hub.removeIfEmpty(server);
      resolve();
    });
    return loaded;
  }
}
