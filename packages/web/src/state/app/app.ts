import type { ParleyClient } from "@parley/client";
import { forgetTyped } from "../../device/device-storage.js";
import { connect } from "./connect.js";
import { createParts, type Parts } from "./parts.js";

/** The state of the application for one session, with the functions that read and change it. */
export interface App extends Parts {
  /** Connects, until {@link App.close}. */
  connect(): void;
  /** Ends the session, and removes the account's data from this browser. */
  logOut(): Promise<void>;
  close(): void;
}

/** Makes the application of a session. */
export function createApp(client: ParleyClient): App {
  const parts = createParts(client);
  let disconnect = () => {};
  return {
    ...parts,
    connect() {
      disconnect = connect(parts);
    },
    async logOut() {
      forgetTyped();
      await parts.sending.forget();
      await client.logout();
    },
    close() {
      const { gateway, sending, interactions, badge, push, seen, drafts } = parts;
      gateway.close();
      sending.close();
      interactions.close();
      drafts.close();
      if (client.tokens === null) {
        badge.clear();
        void push.forget().catch(() => undefined);
        void seen.forget().catch(() => undefined);
      }
      badge.close();
      seen.close();
      disconnect();
    },
  };
}
