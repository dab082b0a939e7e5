import type { Message } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { AppState } from "../../state/app-state.js";
import { isGroup } from "../../state/group-people.js";
import { isChannelMuted, isHeard, isQuiet, shownCount } from "../../state/heard.js";
import { nameIn } from "../../state/names.js";
import { isBlocked } from "../../state/people.js";
import { pushId } from "../../state/push.js";
import { useApp, useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";
import { notify } from "./notifications.js";
import { usePageTitle } from "./use-page-title.js";

const bodyMax = 160;

/** Notifies of mentions and direct messages while the page is in the background, and counts them in the title. */
export function useNotifications(): void {
  const { gateway, store } = useApp();
  const [, navigate] = useLocation();
  usePageTitle(useAppState(shownCount));
  useEffect(() => {
    const announce = (message: Message) => {
      const state = store.getState();
      if (isPushedHere(state)) return;
      const channel = state.channels[message.channel_id];
      if (channel === undefined || message.author_id === null || message.author_id === state.me?.id) return;
      if (isBlocked(state, message.author_id) || !isHeard(state, message, isReplyToMe(state, message))) return;
      const author = nameIn(state, channel.server_id, message.author_id) ?? "";
      notify(
        {
          title: texts.search.notification(author, channel.name),
          body: excerpt(message.content, bodyMax),
          tag: message.id,
        },
        () => navigate(`/servers/${channel.server_id}/channels/${channel.id}/${message.id}`),
      );
    };
    const undo = [
      gateway.on("MESSAGE_CREATE", announce),
      gateway.on("THREAD_MESSAGE_CREATE", announce),
      gateway.on("DM_MESSAGE_CREATE", (message) => {
        const state = store.getState();
        if (isPushedHere(state)) return;
        const { me, dmChannels } = state;
        const channel = dmChannels.find(({ id }) => id === message.channel_id);
        if (channel === undefined || message.author_id === me?.id) return;
        if (isBlocked(state, message.author_id) || isQuiet(state) || isChannelMuted(state, channel.id)) return;
        const name = directTitle(channel);
        const author = message.author?.username ?? "";
        const title = isGroup(channel) ? texts.search.notification(author, name) : name;
        notify({ title, body: excerpt(message.content, bodyMax), tag: message.id }, () =>
          navigate(`/dm/${channel.id}`),
        );
      }),
    ];
    return () => {
      for (const step of undo) step();
    };
  }, [gateway, store, navigate]);
}

/** Whether this device is told by the service worker, which would say it a second time. */
const isPushedHere = ({ notifications }: AppState): boolean =>
  pushId() !== null && notifications?.push.enabled !== false;

/** Whether a message answers one of the user's, as far as the page has that. */
function isReplyToMe({ histories, quoted, me }: AppState, { channel_id, reply_to }: Message): boolean {
  if (reply_to === null) return false;
  const answered = histories[channel_id]?.messages.find(({ id }) => id === reply_to) ?? quoted[reply_to];
  return answered != null && answered.author_id === me?.id;
}
