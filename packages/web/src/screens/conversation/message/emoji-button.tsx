import { SmilePlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../../../ui/look/button.js";
import { useIsNarrow } from "../../../ui/look/use-media.js";
import { FirstTrigger } from "../../../ui/overlays/first-trigger.js";
import { Popover } from "../../../ui/overlays/popover.js";
import { SheetFrame } from "../../../ui/overlays/sheet.js";
import type { PickedEmoji } from "../../emoji/custom-emojis.js";
import { EmojiPicker } from "../../emoji/lazy-emoji-picker.js";
import { useConversation } from "../context.js";
import styles from "./emoji-button.module.css";

/** A button that opens the choice of emoji, at the bottom of a narrow screen. */
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
  const button = (
    <IconButton label={label} className={className}>
      {children}
    </IconButton>
  );
  const picker = (
    <EmojiPicker
      serverId={serverId}
      onPick={(emoji) => {
        setOpen(false);
        onPick(emoji);
      }}
    />
  );
  if (useIsNarrow()) {
    return (
      <>
        <FirstTrigger opens="dialog" isOpen={isOpen} onUse={() => setOpen(true)}>
          {button}
        </FirstTrigger>
        <SheetFrame open={isOpen} onOpenChange={setOpen} label={label}>
          {picker}
        </SheetFrame>
      </>
    );
  }
  return (
    <Popover
      trigger={button}
      open={isOpen}
      onOpenChange={setOpen}
      label={label}
      className={styles.popover}
      side="top"
      align="end"
      sideOffset={6}
      onCloseAutoFocus={(event) => {
        // The field into which the emoji was inserted keeps the focus.
        if (document.activeElement !== document.body) event.preventDefault();
      }}
    >
      {picker}
    </Popover>
  );
}
