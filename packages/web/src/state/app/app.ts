import type { DispatchEvents, Gateway, ParleyClient, ReactionAddEvent } from "@parley/client";
import { forgetDrafts } from "../../device/device-storage.js";
import { offerPictureKey } from "../../ui/look/foreign-picture.js";
import { type AppStore, createAppStore } from "./app-store.js";
import { createBadge } from "../notices/badge.js";
import { createDetails, type Details } from "../conversations/details.js";
import { applyEvent } from "./events.js";
import { createHistories, type Histories } from "../conversations/histories.js";
import { createInteractions, type Interactions } from "../apps/interactions.js";
import { createMembers, type Members } from "../community/members.js";
import { createNotifications, type Notifications } from "../notices/notifications.js";
import { createPeople, type People } from "../people/people.js";
import { createPresenceWatch, type PresenceWatch } from "../people/presence-watch.js";
import { createPush, type Push } from "../notices/push.js";
import { createReadState, type ReadState } from "../conversations/read-state.js";
import { createRequestQueue } from "../platform/request-queue.js";
import { createServerSafety, type ServerSafety } from "../community/safety.js";
import { createSeen } from "../seen/seen.js";
import { createSending, type Sending } from "../sending/sending.js";
import { createServers, type Servers } from "../community/servers.js";
import { typingExpired } from "../people/user-events.js";
import { createView, type View } from "../notices/view.js";
import { followVisibility } from "../access/visibility.js";

/** The state of the application for one session, with the functions that read and change it. */
export interface App {
  readonly client: ParleyClient;
  readonly store: AppStore;
  readonly gateway: Gateway;
  readonly servers: Servers;
  readonly histories: Histories;
  readonly sending: Sending;
  readonly details: Details;
  readonly interactions: Interactions;
  readonly members: Members;
  readonly people: People;
  readonly notifications: Notifications;
  readonly readState: ReadState;
  readonly safety: ServerSafety;
  readonly presence: PresenceWatch;
  readonly view: View;
  readonly push: Push;
  /** Connects, until {@link App.close}. */
  connect(): void;
  /** Ends the session, and removes what this browser keeps of the account. */
  logOut(): Promise<void>;
  close(): void;
}

/** Requests for single messages and users under way together. */
const detailsAtOnce = 4;
const othersAtOnce = 6;
const typingCheckMs = 2_000;
/** What is shown on a start does not wait longer for a slow connection. */
const beginWaitMs = 500;
/** What was seen last is shown when a connection takes longer; a quick one would only have it drawn twice. */
const seenAfterMs = 150;

/** Makes the application of a session. */
export function createApp(client: ParleyClient): App {
  const store = createAppStore({ beginWaitMs });
  // All members, also of large servers: the connection is one for all servers of the user, and its query cannot change
  // without reading everything again. A join costs it a frame as a message does, and a list on the screen stays right.
  const gateway = client.gateway({ members: "all", presence: "subscribed", view: "on" });
  const queue = createRequestQueue(othersAtOnce);
  const servers = createServers(client, store, queue);
  const presence = createPresenceWatch(gateway, store);
  const view = createView(gateway);
  const details = createDetails(client, store, createRequestQueue(detailsAtOnce));
  const sending = createSending(client, store);
  const interactions = createInteractions(client, store, queue);
  const safety = createServerSafety(client, store);
  const people = createPeople(client, store);
  const notifications = createNotifications(client, store);
  const seen = createSeen(client, store);
  const badge = createBadge(store);
  const push = createPush(client);
  const undo: (() => void)[] = [];

  /** Unread messages of servers that were not opened yet are counted by channel. */
  const readChannels = ({ id }: { id: string }) => void servers.readChannels(id).catch(() => undefined);
  const readIfOwn = ({ server_id, user_id }: { server_id: string; user_id: string }) => {
    if (user_id === store.getState().me?.id) void servers.readRevealed(server_id).catch(() => undefined);
  };
  const reactionChanged = (event: ReactionAddEvent) => {
    if (event.user_id !== store.getState().me?.id) details.reactionChanged(event);
  };
  const arrived = ({ author_id, nonce }: { author_id: string | null; nonce?: string }) => {
    if (nonce !== undefined && author_id === store.getState().me?.id) sending.arrived(nonce);
  };
  /** Before the first connection: what was seen last, and what waits to be sent. */
  const showSeen = async () => {
    if (store.getState().readyCount === 0 && (await seen.show("lost"))) sending.disconnected();
  };
  const connect = () => {
    undo.push(followVisibility(gateway, store, servers), view.follow());
    for (const name of eventNames) undo.push(follow(gateway, store, name));
    undo.push(
      gateway.on("READY", (ready) => {
        presence.renewed();
        sending.connected();
        interactions.connected();
        void people.readBlocks().catch(() => undefined);
        void notifications.read().catch(() => undefined);
        for (const server of ready.servers) readChannels(server);
      }),
      gateway.once("READY", () => void seen.recall().catch(() => undefined)),
      gateway.once("READY", () => void push.renew().catch(() => undefined)),
      gateway.on("RESUMED", () => {
        presence.renewed();
        sending.connected();
        interactions.connected();
      }),
      gateway.on("disconnect", () => {
        store.setState({ connection: "lost" });
        void showSeen();
      }),
      gateway.on("SERVER_JOIN", ({ server }) => readChannels(server)),
      gateway.on("THREAD_MESSAGE_CREATE", details.replied),
      gateway.on("MESSAGE_CREATE", arrived),
      gateway.on("THREAD_MESSAGE_CREATE", arrived),
      gateway.on("DM_MESSAGE_CREATE", arrived),
      gateway.on("REACTION_ADD", reactionChanged),
      gateway.on("REACTION_REMOVE", reactionChanged),
      gateway.on("DM_REACTION_ADD", reactionChanged),
      gateway.on("DM_REACTION_REMOVE", reactionChanged),
      gateway.on("INTERACTION_UPDATE", interactions.updated),
      gateway.on("SERVER_SETTINGS_UPDATE", safety.settingsChanged),
      gateway.on("MEMBER_ROLE_ADD", readIfOwn),
      gateway.on("MEMBER_ROLE_REMOVE", readIfOwn),
      offerPictureKey(() => client.embeds.pictureKey()),
      whenVisible(() => gateway.nudge()),
      whenOnline(() => gateway.nudge()),
    );
    const timer = setInterval(() => {
      if (Object.keys(store.getState().typing).length > 0) store.setState((state) => typingExpired(state, Date.now()));
    }, typingCheckMs);
    undo.push(() => clearInterval(timer));
    const meanwhile = setTimeout(() => void seen.show("connecting"), seenAfterMs);
    undo.push(() => clearTimeout(meanwhile));
    // An attempt without a network takes longer to fail.
    if (!navigator.onLine) void showSeen();
    // A refusal ends the session, which the client reports by `onTokens`.
    gateway.connect().catch(() => undefined);
  };

  return {
    client,
    store,
    gateway,
    servers,
    presence,
    view,
    histories: createHistories({ client, store, queue, keepListed: details.keepListed }),
    sending,
    details,
    interactions,
    members: createMembers(client, store),
    people,
    notifications,
    push,
    readState: createReadState(client, store),
    safety,
    connect,
    async logOut() {
      forgetDrafts();
      await sending.forget();
      await client.logout();
    },
    close() {
      gateway.close();
      sending.close();
      interactions.close();
      if (client.tokens === null) {
        badge.clear();
        void push.forget().catch(() => undefined);
        void seen.forget().catch(() => undefined);
      }
      badge.close();
      seen.close();
      for (const step of undo.splice(0)) step();
    },
  };
}

const eventNames = Object.keys(applyEvent).filter(isEventName);

function isEventName(name: string): name is keyof DispatchEvents {
  return name in applyEvent;
}

function follow<Name extends keyof DispatchEvents>(gateway: Gateway, store: AppStore, name: Name): () => void {
  const apply = applyEvent[name];
  if (apply === null) return () => undefined;
  const put = name === "READY" ? store.begin : store.apply;
  return gateway.on(name, (payload: DispatchEvents[Name]) => put((state) => apply(state, payload)));
}

/** Calls the action when the network is back. */
function whenOnline(action: () => void): () => void {
  addEventListener("online", action);
  return () => removeEventListener("online", action);
}

function whenVisible(action: () => void): () => void {
  const listener = () => {
    if (document.visibilityState === "visible") action();
  };
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
