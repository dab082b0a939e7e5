import type { Message } from "@parley/client";
import { Ellipsis } from "lucide-react";
import { useCallback, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { ContextMenu } from "../../../ui/overlays/context-menu.js";
import { Menu, type MenuEntry } from "../../../ui/overlays/menu.js";
import type { MenuPosition } from "../../../ui/overlays/use-context-menu.js";
import { useAppEntry } from "../../apps/use-app-entry.js";
import { useCommands } from "../../apps/use-commands.js";
import { useConversation } from "../context.js";
import { EmojiButton } from "./emoji-button.js";
import type { MessageAction } from "./message-action.js";
import styles from "./message-actions.module.css";
import { QuickReactions } from "./quick-reactions.js";
import { useMessageActions } from "./use-message-actions.js";

/** Emoji that are offered for a reaction at once. */
const inBar = 3;
const inSheet = 6;

/** The bar above a message. */
export function MessageActions({ message }: { message: Message }) {
  const labels = texts.conversation;
  const { details } = useApp();
  const { id, channel_id: channelId } = message;
  const actions = useMessageActions(message);
  const [isMenuOpened, setMenuOpened] = useState(false);
  const apps = useMessageApps(message, isMenuOpened);
  const react = (emoji: string) => void details.react(channelId, id, emoji, true).catch(() => undefined);
  return (
    <div className={styles.bar} role="toolbar" aria-label={labels.actions}>
      {mayReact(actions) ? <QuickReactions count={inBar} onPick={react} /> : null}
      {actions.map((action) =>
        action.shownIn === "menu" ? null : action.shownIn === "react" ? (
          <EmojiButton key={action.label} label={action.label} onPick={({ reaction }) => react(reaction)} />
        ) : (
          <IconButton key={action.label} label={action.label} onClick={action.onSelect}>
            {action.icon}
          </IconButton>
        ),
      )}
      <Menu
        trigger={
          <IconButton label={labels.more}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={[...actions.filter(({ shownIn }) => shownIn === "menu"), apps]}
        onOpen={() => setMenuOpened(true)}
      />
    </div>
  );
}

/** The menu or sheet of a message, with all of its actions. */
export function MessageMenu({
  message,
  position,
  onClose,
}: {
  message: Message;
  position: MenuPosition;
  onClose: () => void;
}) {
  const { details } = useApp();
  const items = useMessageActions(message);
  const apps = useMessageApps(message, true);
  const react = (emoji: string) => {
    onClose();
    details.react(message.channel_id, message.id, emoji, true).catch(() => undefined);
  };
  const above = mayReact(items) ? (
    <div className={styles.quick}>
      <QuickReactions count={inSheet} onPick={react} />
    </div>
  ) : null;
  return (
    <ContextMenu
      position={position}
      label={texts.conversation.actions}
      items={[...items, apps]}
      above={above}
      onClose={onClose}
    />
  );
}

/** The bots' commands for a message, which are read once its menu is opened, as is whether the message is saved. */
function useMessageApps({ id }: Message, isOpened: boolean): MenuEntry {
  const { place } = useConversation();
  const { saved } = useApp();
  useRead(useCallback(async () => isOpened && saved.read(), [saved, isOpened]));
  useCommands(isOpened ? place.id : null);
  return useAppEntry("message", id, place.id);
}

const mayReact = (actions: readonly MessageAction[]) => actions.some(({ shownIn }) => shownIn === "react");
