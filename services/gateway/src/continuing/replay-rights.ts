import type { ReceivedEvent } from "@parley/messaging";
import { within } from "@parley/service-runtime";
import { channelOf, isAudienceLoaded, isInAudience } from "../fan-out/audience.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { replayRightsTimeoutMs } from "../limits.js";

/** Connections that continue at about the same time share one task of the server's queue, and its statements. */
export class ReplayRights {
  readonly #loads = new WeakMap<ServerEntry, { channels: Set<string | null>; loaded: Promise<void> }>();

  constructor(private readonly options: { hub: Pick<Hub, "load" | "removeIfEmpty"> }) {}

  /**
   * Selects those of a server's events that a user may see by the rights of now (docs/interface.md#19.2).
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
      await within(this.#load(server, channels), replayRightsTimeoutMs, () => {
        throw new Error("the permissions of a server could not be read in time");
      });
    }
    return events.filter((event) => isInAudience(server, event, user));
  }

  #load(server: ServerEntry, channels: ReadonlySet<string | null>): Promise<void> {
    const { hub } = this.options;
    const known = this.#loads.get(server);
    if (known !== undefined) {
      for (const channelId of channels) known.channels.add(channelId);
      return known.loaded;
    }
    const wanted = new Set(channels);
    let resolve = () => {};
    const loaded = new Promise<void>((resolved) => {
      resolve = resolved;
    });
    this.#loads.set(server, { channels: wanted, loaded });
    server.queue.add(async () => {
      // A later call needs statements that begin after it.
      this.#loads.delete(server);
      for (const channelId of wanted) {
        if (!server.isLoaded(channelId)) await hub.load(server, channelId);
      }
      hub.removeIfEmpty(server);
      resolve();
    });
    return loaded;
  }
}
