import { useEffect } from "react";
import { useLocation } from "wouter";
import type { PageState } from "../../state/page-state.js";
import { usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";

/** Names the page after what is open, with the number of mentions and direct messages before it. */
export function usePageTitle(mentions: number): void {
  const [path] = useLocation();
  const title = usePageState((state) => titleOf(state, path));
  useEffect(() => {
    document.title = mentions === 0 ? title : `(${mentions}) ${title}`;
  }, [title, mentions]);
}

/** What is open at a path, as far as its names are known. */
export function titleOf(state: PageState, path: string): string {
  const names = texts.titles;
  const [, area = "", id = "", part = "", channelId = ""] = path.split("/");
  switch (area) {
    case "servers": {
      const server = state.servers.find((known) => known.id === id)?.name;
      if (server === undefined) return names.start;
      if (part === "settings") return names.of(texts.shell.settings, server);
      const channel = part === "channels" ? state.channels[channelId] : undefined;
      if (channel === undefined) return names.page(server);
      return names.of(channel.type === "text" ? `#${channel.name}` : channel.name, server);
    }
    case "dm":
      return names.page(
        state.dmChannels.find((known) => known.id === id)?.recipient.username ?? texts.shell.directMessages,
      );
    case "browse":
      return names.page(texts.shell.browse);
    case "invite":
      return names.page(names.invite);
    case "account":
      return names.page(texts.account.title);
    case "admin":
      return names.page(texts.shell.administration);
    default:
      return names.start;
  }
}
