import { SmilePlus } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useState } from "react";
import { IconButton } from "../../ui/button.js";
import { lazyPart } from "../../ui/lazy-part.js";
import { Loading } from "../../ui/loading.js";
import { useConversation } from "./context.js";
import type { PickedEmoji } from "./emoji.js";
import styles from "./emoji-button.module.css";

const EmojiPicker = lazyPart(async () => (await import("./emoji-picker.js")).EmojiPicker, {
  waiting: () => (
    <div className={styles.waiting}>
      <Loading />
    </div>
  ),
});

/** A button that opens the choice of emoji. */
export function EmojiButton({
  label,
  className,
  onPick,
  children = <SmilePlus size={18} aria-hidden />,
}: {
  label: string;
  className?: string | undefined;
  onPick: (emoji: PickedEmoji) => void;
  children?: ReactNode;
}) {
  const { serverId } = useConversation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label={label} className={className}>
          {children}
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          className={styles.popover}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // The field into which the emoji was inserted keeps the focus.
            if (document.activeElement !== document.body) event.preventDefault();
          }}
        >
          <EmojiPicker
            serverId={serverId}
            onPick={(emoji) => {
              setOpen(false);
              onPick(emoji);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
