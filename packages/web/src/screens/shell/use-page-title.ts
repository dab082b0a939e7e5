import { useEffect } from "react";
import { useLocation } from "wouter";
import { useInstallationName } from "../../session/installation.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";

/** Names the page after its content, with the number of mentions and direct messages before it. */
export function usePageTitle(mentions: number): void {
  const [path] = useLocation();
  const installation = useInstallationName(useApp().client);
  const title = useAppState((state) => titleOf(state, path, installation));
  useEffect(() => {
    document.title = mentions === 0 ? title : `(${mentions}) ${title}`;
  }, [title, mentions]);
}

/** The title of a path, as far as its names are known; `installation` is the name of the installation. */
export function titleOf(state: AppState, path: string, installation: string): string {
  const labels = texts.titles;
  const [, area = "", id = "", part = "", channelId = ""] = path.split("/");
  switch (area) {
    case "servers": {
      const server = state.servers.find((known) => known.id === id)?.name;
      if (server === undefined) return installation;
      if (part === "settings") return labels.of(texts.shell.settings, server);
      const channel = part === "channels" ? state.channels[channelId] : undefined;
      if (channel === undefined) return labels.page(server, installation);
      return labels.of(channel.type === "text" ? `#${channel.name}` : channel.name, server);
    }
    case "dm": {
      const channel = state.dmChannels.find((known) => known.id === id);
      return labels.page(channel === undefined ? texts.shell.directMessages : directTitle(channel), installation);
    }
    case "inbox":
      return labels.page(texts.inbox.title, installation);
    case "browse":
      return labels.page(texts.shell.browse, installation);
    case "invite":
      return labels.page(labels.invite, installation);
    case "add-bot":
      return labels.page(texts.apps.add.page, installation);
    case "account":
      return labels.page(texts.account.title, installation);
    case "admin":
      return labels.page(texts.shell.administration, installation);
    default:
      return installation;
  }
}
