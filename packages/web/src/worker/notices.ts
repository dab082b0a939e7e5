import type { MessagePush, ReadPush } from "@parley/contracts";
import type { NoticeState } from "../state/seen/seen-store.js";
import { createKeptMessages } from "../state/sending/kept-messages.js";
import { readPayload } from "./payload.js";
import { pictureOf } from "./picture.js";
import { withSeen } from "./seen.js";
import { appWindows, ask, open } from "./windows.js";

declare const self: ServiceWorkerGlobalScope;

/** Options that TypeScript does not know yet. */
interface ShownOptions extends NotificationOptions {
  renotify: boolean;
  timestamp: number;
  actions: { action: string; title: string; type?: "text" | "button"; placeholder?: string }[];
  data: MessagePush;
}

/** Shows pushes as notifications, and runs their buttons. */
export function followPushes(): void {
  self.addEventListener("push", (event) => event.waitUntil(pushed(event.data)));
  // The page that is open, or the next one, names the device again.
  self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(ask({ kind: "renew" })));
  self.addEventListener("notificationclick", (event) => event.waitUntil(pressed(event)));
}

async function pushed(data: PushMessageData | null): Promise<void> {
  const payload = readPayload(data);
  if (payload?.type === "message") await show(payload);
  if (payload?.type === "read") await close(payload);
}

/** A user with a visible page of the application sees the new message there. */
async function show(message: MessagePush): Promise<void> {
  // A copy, which the death of a process of the server may make.
  const [before] = await self.registration.getNotifications({ tag: message.tag });
  if (before?.data.message_id === message.message_id && before.data.count === message.count) return;
  const windows = await appWindows();
  if (windows.some(({ visibilityState }) => visibilityState === "visible")) return;
  if (windows.length === 0) {
    await count(({ [message.tag]: before = 0, ...others }) => ({ ...others, [message.tag]: before + message.count }));
  }
  const [notices, frame] =
    (await withSeen((store) => Promise.all([store.get("notices", "notices"), store.get("frame", "frame")]))) ?? [];
  const options: ShownOptions = {
    body: message.text ?? "",
    tag: message.tag,
    icon: pictureOf(message, frame),
    badge: "/app/icon-badge.png",
    renotify: true,
    timestamp: Date.now(),
    data: message,
    actions:
      notices === undefined
        ? []
        : [
            { action: "reply", type: "text", title: notices.labels.reply, placeholder: notices.labels.placeholder },
            { action: "read", title: notices.labels.markRead },
          ],
  };
  const title = message.count > 1 ? `(${message.count}) ${message.title}` : message.title;
  await self.registration.showNotification(title, options);
}

async function close({ tag }: ReadPush): Promise<void> {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
  if ((await appWindows()).length === 0) await count(({ [tag]: _read, ...others }) => others);
}

/** Changes the number on the icon while no page does that. */
async function count(change: (counts: NoticeState["counts"]) => NoticeState["counts"]): Promise<void> {
  const counts = await withSeen(async (store) => {
    const { store: notices, done } = store.transaction("notices", "readwrite");
    const before = await notices.get("notices");
    if (before === undefined) return {};
    const after = { ...before, counts: change(before.counts) };
    await notices.put(after, "notices");
    await done;
    return after.counts;
  });
  const sum = Object.values(counts ?? {}).reduce((all, each) => all + each, 0);
  await self.navigator.setAppBadge?.(sum).catch(() => undefined);
}

async function pressed(event: NotificationEvent): Promise<void> {
  const { notification, action } = event;
  const message: MessagePush = notification.data;
  notification.close();
  const reply = "reply" in event ? String(event.reply ?? "").trim() : "";
  if (action === "reply" && reply !== "" && (await keepReply(message, reply))) {
    // A page sends it, with its session: any that is open, or a new one.
    if ((await appWindows()).length === 0) await open(message.url);
  } else if (action === "read") {
    const { channel_id: channelId, message_id: messageId, server_id } = message;
    const isAsked = await ask({ kind: "read", channelId, messageId, isDirect: server_id === null });
    if (!isAsked) await open(message.url);
  } else {
    await open(message.url);
  }
}

/** Keeps a reply among the messages that wait to be sent (src/state/sending/unsent.ts). @returns whether it is kept */
async function keepReply({ channel_id }: MessagePush, content: string): Promise<boolean> {
  const { userId } = (await withSeen((store) => store.get("notices", "notices"))) ?? {};
  if (userId === undefined) return false;
  const nonce = crypto.randomUUID();
  const isKept = await createKeptMessages().add(userId, {
    nonce,
    channelId: channel_id,
    threadId: null,
    content,
    replyTo: null,
    files: [],
    createdAt: new Date().toISOString(),
    state: "sending",
    attempts: 0,
    error: null,
  });
  const pages = new BroadcastChannel("parley.unsent");
  pages.postMessage(nonce);
  pages.close();
  return isKept;
}
