import type { NotificationSettings, NotificationsUpdateBody, ParleyClient } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import type { AppStore, Change } from "../store/app-store.js";

/** The user's notification settings, for every device. */
export interface Notifications {
  /** Reads the settings; later there are events. */
  read(): Promise<void>;
  /** Merges changes with the present settings. */
  change(changes: NotificationsUpdateBody): Promise<void>;
}

/** Makes {@link Notifications}. */
export function createNotifications(client: ParleyClient, store: AppStore): Notifications {
  const put = (state: AppState, notifications: NotificationSettings, since: Change) => ({
    notifications: since({ ...state, notifications }).notifications,
  });
  return {
    read: () => store.read(() => client.notifications.get(), put),
    async change(changes) {
      await store.change(() => client.notifications.update(changes), put);
    },
  };
}
