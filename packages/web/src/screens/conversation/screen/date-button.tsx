import { CalendarDays } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Place } from "../../../state/conversations/histories.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";

const DateDialog = lazyPart(async () => (await import("./date-dialog.js")).DateDialog, {
  missing: ({ onClose }: { onClose: () => void }, note: ReactNode) => (
    <Dialog open onOpenChange={onClose} title={texts.conversation.date.title}>
      {note}
    </Dialog>
  ),
});

/** The dialog that leads to a day of a conversation, and the function that opens it. */
export function useDateDialog(place: Place, path: string) {
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: isOpen ? <DateDialog place={place} path={path} onClose={() => setOpen(false)} /> : null,
  };
}

export function DateButton({ place, path }: { place: Place; path: string }) {
  const { open, dialog } = useDateDialog(place, path);
  return (
    <>
      <IconButton label={texts.conversation.date.title} onClick={open}>
        <CalendarDays size={19} aria-hidden />
      </IconButton>
      {dialog}
    </>
  );
}
