import type { DispatchEvents } from "@parley/client";
import { offerPictureKey } from "../../ui/look/foreign-picture.js";
import { typingExpired } from "../community/user-events.js";
import { followVisibility } from "../community/visibility.js";
import { applyEvent } from "./events.js";
import { listenTo } from "./listeners.js";
import type { Parts } from "./parts.js";

const typingCheckMs = 2_000;
/** The page shows its stored copy when a connection takes longer; for a quick one it would only be drawn twice. */
const seenAfterMs = 150;

/** Connects, and keeps the state right by the events; returns a function that ends that. */
export function connect(parts: Parts): () => void {
  const { client, store, gateway, servers, sending, seen, view, absence } = parts;
  /** Before the first connection: shows the stored copy, and the messages that wait to be sent. */
  const showSeen = async () => {
    if (store.getState().readyCount === 0 && (await seen.show("lost"))) sending.disconnected();
  };
  const undo = [
    followVisibility(gateway, store, servers),
    view.follow(),
    absence.follow(),
    ...eventNames.map((name) => follow(parts, name)),
    ...listenTo(parts),
    gateway.on("disconnect", () => {
      store.setState({ connection: "lost" });
      void showSeen();
    }),
    gateway.on("close", (end) => {
      if (end?.code === "second_factor_set_up_first") store.setState({ needsFactor: true });
    }),
    offerPictureKey(() => client.embeds.pictureKey()),
    whenVisible(() => gateway.nudge()),
    whenOnline(() => gateway.nudge()),
  ];
  const timer = setInterval(() => {
    if (Object.keys(store.getState().typing).length > 0) store.setState((state) => typingExpired(state, Date.now()));
  }, typingCheckMs);
  const meanwhile = setTimeout(() => void seen.show("connecting"), seenAfterMs);
  // An attempt without a network takes longer to fail.
  if (!navigator.onLine) void showSeen();
  // A refusal ends the session, which the client reports by `onTokens`.
  gateway.connect().catch(() => undefined);
  return () => {
    clearInterval(timer);
    clearTimeout(meanwhile);
    for (const step of undo) step();
  };
}

const eventNames = Object.keys(applyEvent).filter(isEventName);

function isEventName(name: string): name is keyof DispatchEvents {
  return name in applyEvent;
}

/** Applies an event to the state, and has the page read a message that the user sees, as one change. */
function follow<Name extends keyof DispatchEvents>({ gateway, store, readState }: Parts, name: Name): () => void {
  const apply = applyEvent[name];
  if (apply === null) return () => undefined;
  const put = name === "READY" ? store.begin : store.apply;
  const { arrived } = readState;
  const reading: { [Event in keyof DispatchEvents]?: (payload: DispatchEvents[Event]) => void } = {
    MESSAGE_CREATE: arrived,
    THREAD_MESSAGE_CREATE: arrived,
    DM_MESSAGE_CREATE: arrived,
  };
  return gateway.on(name, (payload: DispatchEvents[Name]) =>
    store.together(() => {
      put((state) => apply(state, payload));
      reading[name]?.(payload);
    }),
  );
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
