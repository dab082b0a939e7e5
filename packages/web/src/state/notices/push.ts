import type { ParleyClient } from "@parley/client";
import { pushId } from "../../device/device-storage.js";
import { InputError } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { deviceLabel } from "./device-label.js";

/** Whether the browser can be pushed to. On some telephones only the installed application can. */
export const isPushPossible = (): boolean =>
  import.meta.env.PROD && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Makes the server push notices to this device, so that they come without a page. */
export interface Push {
  /** To be called after a click, as the browser may ask the person. */
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
  /** Names the device again: the browser may have a new endpoint, the server a new key, and the account a new session. */
  renew(): Promise<void>;
  /** Ends it in the browser; the session takes the device at the server with it. */
  forget(): Promise<void>;
}

/** Makes {@link Push}. */
export function createPush(client: ParleyClient): Push {
  const current = async () => (await navigator.serviceWorker.ready).pushManager;
  const subscribe = async () => {
    const { public_key: key } = await client.push.key();
    const manager = await current();
    const known = await manager.getSubscription();
    if (known !== null && keyOf(known) !== key) await known.unsubscribe();
    let subscription: PushSubscription;
    try {
      subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    } catch {
      // The browser's own service may be out of reach, or switched off.
      throw new InputError(texts.notifications.push.failed);
    }
    const { endpoint, keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
    const body = { endpoint: endpoint ?? "", keys: { p256dh, auth }, label: deviceLabel(navigator.userAgent) };
    const { id } = await client.push.subscribe(body);
    const former = pushId.read();
    pushId.write(id);
    // The server can send nothing to it any more, and notices that, too.
    if (former !== null && former !== id) await client.push.unsubscribe(former).catch(() => undefined);
  };
  const forget = async () => {
    if (pushId.read() === null) return;
    pushId.write(null);
    await (await (await current()).getSubscription())?.unsubscribe();
  };

  const turnOff = async () => {
    const id = pushId.read();
    await forget();
    if (id !== null) await client.push.unsubscribe(id);
  };

  return {
    async turnOn() {
      const permission = await Notification.requestPermission();
      if (permission !== "granted") throw new InputError(texts.notifications.push.blocked);
      await subscribe();
    },
    turnOff,
    async renew() {
      if (pushId.read() === null || !isPushPossible()) return;
      if (Notification.permission === "granted") await subscribe();
      else await turnOff();
    },
    forget,
  };
}

/** The key that a subscription was made with, as the server writes it. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
