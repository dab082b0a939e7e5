import type { MessagePush } from "@parley/contracts";
import { excerpt } from "@parley/message-text";
import type { HeardMessage } from "./content-rows.js";
import { pushTextMax } from "./limits.js";

/** Author and place: "ann (#general, Chess club)", "ann (Weekend)" in a group, "ann" in a channel of two. */
function titleOf({ author, channel, place }: HeardMessage): string {
  const where = [channel === null ? null : `#${channel}`, place].filter((name) => name !== null);
  const name = author ?? "…";
  return where.length === 0 ? name : `${name} (${where.join(", ")})`;
}

/**
 * The push of a channel's messages.
 *
 * @param messages in the order in which they were sent, at least one
 */
export function messagePush(
  messages: readonly [HeardMessage, ...HeardMessage[]],
  {
    channelId,
    serverId,
    withContent,
    time,
  }: { channelId: string; serverId: string | null; withContent: boolean; time: Date },
): MessagePush {
  const last = messages.at(-1) ?? messages[0];
  if (last.notice !== undefined) return noticePush(last, last.notice, { withContent, time });
  if (last.reminder !== undefined) return reminderPush(last, last.reminder, withContent);
  if (last.registration !== undefined) {
    return {
      type: "message",
      title: registrationTitles[last.registration.language],
      ...(withContent ? { text: excerpt(last.content, pushTextMax) } : {}),
      server_id: null,
      channel_id: channelId,
      message_id: last.message_id,
      url: "/app/admin/waiting",
      tag: channelId,
      count: messages.length,
    };
  }
  const place = serverId === null ? `/app/dm/${channelId}` : `/app/servers/${serverId}/channels/${channelId}`;
  return {
    type: "message",
    title: titleOf(last),
    ...(withContent ? { text: excerpt(last.content, pushTextMax) } : {}),
    server_id: serverId,
    channel_id: channelId,
    message_id: last.message_id,
    url: `${place}/${last.message_id}`,
    tag: channelId,
    count: messages.length,
  };
}

const registrationTitles = {
  en: "Registration waiting for approval",
  de: "Registrierung wartet auf Freigabe",
  ar: "تسجيل ينتظر الموافقة",
} as const;

const reminderTitles = { en: "Reminder", de: "Erinnerung", ar: "تذكير" } as const;

/** The push of a reminder, which leads to its message, or without one to the inbox. */
function reminderPush(
  { message_id: itemId, content }: HeardMessage,
  { language, message_id, server_id, channel_id }: NonNullable<HeardMessage["reminder"]>,
  withContent: boolean,
): MessagePush {
  const place = server_id === null ? `/app/dm/${channel_id}` : `/app/servers/${server_id}/channels/${channel_id}`;
  return {
    type: "message",
    title: reminderTitles[language],
    ...(withContent && content !== "" ? { text: excerpt(content, pushTextMax) } : {}),
    server_id,
    channel_id: channel_id ?? itemId,
    message_id: message_id ?? itemId,
    url: channel_id === null ? "/app/inbox" : `${place}/${message_id}`,
    tag: itemId,
    count: 1,
  };
}

const eventTitles = { en: "Event", de: "Veranstaltung", ar: "فعالية" } as const;
const minuteMs = 60_000;

/** The push of a notice, which leads to the message of the event: "Event in 15 minutes (#general, Chess club)". */
function noticePush(
  { message_id: noticeId, content, channel, place }: HeardMessage,
  { language, starts_at, message_id, server_id, channel_id }: NonNullable<HeardMessage["notice"]>,
  { withContent, time }: { withContent: boolean; time: Date },
): MessagePush {
  const minutes = Math.ceil((starts_at.getTime() - time.getTime()) / minuteMs);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const when = minutes === 0 ? relative.format(0, "second") : relative.format(minutes, "minute");
  return {
    type: "message",
    title: `${eventTitles[language]} ${when} (#${channel}, ${place})`,
    ...(withContent ? { text: excerpt(content, pushTextMax) } : {}),
    server_id,
    channel_id,
    message_id,
    url: `/app/servers/${server_id}/channels/${channel_id}/${message_id}`,
    tag: noticeId,
    count: 1,
  };
}
