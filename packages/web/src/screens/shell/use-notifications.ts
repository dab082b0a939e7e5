import { useEffect } from "react";
import { useLocation } from "wouter";
import { isGroup } from "../../state/group-people.js";
import { nameIn } from "../../state/names.js";
import { isBlocked, isMention } from "../../state/people.js";
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
  const mentions = useAppState((state) =>
    [...Object.values(state.mentions), ...state.dmChannels.map(({ id }) => state.unread[id] ?? 0)].reduce(
      (sum, count) => sum + count,
      0,
    ),
  );
  usePageTitle(mentions);
  useEffect(() => {
    const undo = [
      gateway.on("MESSAGE_CREATE", (message) => {
        const state = store.getState();
        const { me } = state;
        const channel = state.channels[message.channel_id];
        if (me === null || channel === undefined || message.author_id === null || message.author_id === me.id) return;
        if (!isMention(state, message)) return;
        const author = nameIn(state, channel.server_id, message.author_id) ?? "";
        const path = `/servers/${channel.server_id}/channels/${channel.id}/${message.id}`;
        notify(
          {
            title: texts.search.notification(author, channel.name),
            body: message.content.slice(0, bodyMax),
            tag: message.id,
          },
          () => navigate(path),
        );
      }),
      gateway.on("DM_MESSAGE_CREATE", (message) => {
        const state = store.getState();
        const { me, dmChannels } = state;
        const channel = dmChannels.find(({ id }) => id === message.channel_id);
        if (channel === undefined || message.author_id === me?.id) return;
        if (isBlocked(state, message.author_id)) return;
        const name = directTitle(channel);
        const author = message.author?.username ?? "";
        const title = isGroup(channel) ? texts.search.notification(author, name) : name;
        notify({ title, body: message.content.slice(0, bodyMax), tag: message.id }, () =>
          navigate(`/dm/${channel.id}`),
        );
      }),
    ];
    return () => {
      for (const step of undo) step();
    };
  }, [gateway, store, navigate]);
}
