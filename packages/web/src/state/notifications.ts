import type { NotificationSettings, NotificationsUpdateBody, ParleyClient } from "@parley/client";
import type { AppStore } from "./app-store.js";

/** What the user wants to hear of, on every device. */
export interface Notifications {
  /** Reads the settings; later there are events. */
  read(): Promise<void>;
  /** Merges changes with what is set. */
  change(changes: NotificationsUpdateBody): Promise<void>;
}

/** Makes {@link Notifications}. */
export function createNotifications(client: ParleyClient, store: AppStore): Notifications {
  const put = (notifications: NotificationSettings) => store.apply((state) => ({ ...state, notifications }));
  return {
    read: () =>
      store.read(
        () => client.notifications.get(),
        (state, notifications, since) => ({ notifications: since({ ...state, notifications }).notifications }),
      ),
    async change(changes) {
      put(await client.notifications.update(changes));
    },
  };
}
