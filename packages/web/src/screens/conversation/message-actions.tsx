import type { Message } from "@parley/client";
import { Ellipsis } from "lucide-react";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/button.js";
import { ContextMenu } from "../../ui/context-menu.js";
import { Menu } from "../../ui/menu.js";
import type { MenuPlace } from "../../ui/use-context-menu.js";
import { EmojiButton } from "./emoji-button.js";
import styles from "./message-actions.module.css";
import { useMessageActions } from "./use-message-actions.js";

/** The bar above a message. */
export function MessageActions({ message }: { message: Message }) {
  const names = texts.conversation;
  const { details } = usePage();
  const { id, channel_id: channelId } = message;
  const actions = useMessageActions(message);
  return (
    <div className={styles.bar} role="toolbar" aria-label={names.actions}>
      {actions.map(({ place, label, icon, onSelect }) =>
        place === "menu" ? null : place === "react" ? (
          <EmojiButton
            key={label}
            label={label}
            onPick={(emoji) => void details.react(channelId, id, emoji.reaction, true).catch(() => undefined)}
          />
        ) : (
          <IconButton key={label} label={label} onClick={onSelect}>
            {icon}
          </IconButton>
        ),
      )}
      <Menu
        trigger={
          <IconButton label={names.more}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={actions.filter(({ place }) => place === "menu")}
      />
    </div>
  );
}

/** The menu or sheet of a message, with all of its actions. */
export function MessageMenu({ message, place, onClose }: { message: Message; place: MenuPlace; onClose: () => void }) {
  const items = useMessageActions(message);
  return <ContextMenu place={place} label={texts.conversation.actions} items={items} onClose={onClose} />;
}
