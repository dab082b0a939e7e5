import { useEffect } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";

/** Names the page after its content, with the number of mentions and direct messages before it. */
export function usePageTitle(mentions: number): void {
  const [path] = useLocation();
  const title = useAppState((state) => titleOf(state, path));
  useEffect(() => {
    document.title = mentions === 0 ? title : `(${mentions}) ${title}`;
  }, [title, mentions]);
}

/** The title of a path, as far as its names are known. */
export function titleOf(state: AppState, path: string): string {
  const labels = texts.titles;
  const [, area = "", id = "", part = "", channelId = ""] = path.split("/");
  switch (area) {
    case "servers": {
      const server = state.servers.find((known) => known.id === id)?.name;
      if (server === undefined) return labels.start;
      if (part === "settings") return labels.of(texts.shell.settings, server);
      const channel = part === "channels" ? state.channels[channelId] : undefined;
      if (channel === undefined) return labels.page(server);
      return labels.of(channel.type === "text" ? `#${channel.name}` : channel.name, server);
    }
    case "dm": {
      const channel = state.dmChannels.find((known) => known.id === id);
      return labels.page(channel === undefined ? texts.shell.directMessages : directTitle(channel));
    }
    case "browse":
      return labels.page(texts.shell.browse);
    case "invite":
      return labels.page(labels.invite);
    case "add-bot":
      return labels.page(texts.apps.add.page);
    case "account":
      return labels.page(texts.account.title);
    case "admin":
      return labels.page(texts.shell.administration);
    default:
      return labels.start;
  }
}
