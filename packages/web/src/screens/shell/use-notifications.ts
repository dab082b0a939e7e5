import type { Message, MessageAuthor, Report } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { pushId } from "../../device/device-storage.js";
import { holdsRight } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { fromSentDirectMessage } from "../../state/conversations/direct-message.js";
import { isNotified, isServerMuted, isUndisturbed, noticeText, shownCount } from "../../state/notices/heard.js";
import { nameIn } from "../../state/people/names.js";
import type { AppState } from "../../state/store/app-state.js";
import { isGroup } from "../../state/store/group-people.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";
import { notify } from "./notifications.js";
import { usePageTitle } from "./use-page-title.js";

const bodyMax = 160;

/** Notifies of mentions, direct messages and reports while the page is in the background, and counts them in the title. */
export function useNotifications(): void {
  const { gateway, store } = useApp();
  const [, navigate] = useLocation();
  usePageTitle(useAppState(shownCount));
  useEffect(() => {
    const announce = (message: Message, author: MessageAuthor | null) => {
      const state = store.getState();
      if (isPushedHere(state) || !isNotified(state, message, isReplyToMe(state, message))) return;
      const notice = describe(state, message, author);
      if (notice === null) return;
      notify({ title: notice.title, body: noticeText(state, excerpt(message.content, bodyMax)), tag: message.id }, () =>
        navigate(notice.path),
      );
    };
    const announceReport = ({ server_id, content }: Report) => {
      const state = store.getState();
      const server = state.servers.find(({ id }) => id === server_id);
      if (server === undefined || !holdsRight(state, server.id, "review_reports")) return;
      if (isUndisturbed(state) || isServerMuted(state, server.id)) return;
      const body = noticeText(state, excerpt(content ?? "", bodyMax));
      notify({ title: texts.moderation.reportedIn(server.name), body, tag: `reports ${server.id}` }, () =>
        navigate(`/servers/${server.id}/settings/moderation`),
      );
    };
    const undo = [
      gateway.on("REPORT_CREATE", announceReport),
      gateway.on("MESSAGE_CREATE", (message) => announce(message, message.author)),
      gateway.on("THREAD_MESSAGE_CREATE", (message) => announce(message, message.author)),
      gateway.on("DM_MESSAGE_CREATE", ({ author, ...sent }) => announce(fromSentDirectMessage(sent), author)),
    ];
    return () => {
      for (const step of undo) step();
    };
  }, [gateway, store, navigate]);
}

/**
 * The author and place of a message as a title, and the page that shows it; null for messages without an author, and
 * for places that are gone.
 */
function describe(
  state: AppState,
  { channel_id, author_id, id }: Message,
  author: MessageAuthor | null,
): { title: string; path: string } | null {
  const channel = state.channels[channel_id];
  if (channel !== undefined) {
    if (author_id === null) return null;
    const name = nameIn(state, channel.server_id, author_id) ?? "";
    return {
      title: texts.search.notification(name, channel.name),
      path: `/servers/${channel.server_id}/channels/${channel.id}/${id}`,
    };
  }
  const conversation = state.dmChannels.find((one) => one.id === channel_id);
  if (conversation === undefined) return null;
  const name = directTitle(conversation);
  const title = isGroup(conversation) ? texts.search.notification(author?.username ?? "", name) : name;
  return { title, path: `/dm/${conversation.id}` };
}

/** Whether the service worker notifies this device, so that the page would repeat it. */
const isPushedHere = ({ notifications }: AppState): boolean =>
  pushId.read() !== null && notifications?.push.enabled !== false;

/** Whether a message answers one of the user's, as far as the page has that. */
function isReplyToMe({ histories, quoted, me }: AppState, { channel_id, reply_to }: Message): boolean {
  if (reply_to === null) return false;
  const answered = histories[channel_id]?.messages.find(({ id }) => id === reply_to) ?? quoted[reply_to];
  return answered != null && answered.author_id === me?.id;
}
