import { CalendarPlus, ChartBar, Clapperboard, Clock, Paperclip, Plus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { Menu } from "../../../ui/overlays/menu.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import { useConversation } from "../context.js";
import styles from "./add-menu.module.css";

const GifDialog = lazyPart(async () => (await import("./gif-dialog.js")).GifDialog, {
  missing: ({ onClose }: { onClose: () => void }, note: ReactNode) => (
    <Dialog open onOpenChange={onClose} title={texts.conversation.gif.create}>
      {note}
    </Dialog>
  ),
});

/** Menu of things to send besides text: files, polls, events and GIFs. */
export function AddMenu({
  mayAttach,
  threadId,
  onFiles,
  onPlan,
}: {
  mayAttach: boolean;
  /** Root message of the thread; null outside of threads. */
  threadId: string | null;
  onFiles: (files: readonly File[]) => void;
  /** Null while there is no text that could be sent later. */
  onPlan: (() => void) | null;
}) {
  const labels = texts.conversation;
  const { place, create } = useConversation();
  const mayAsk = threadId === null && place.kind === "channel";
  const picker = useRef<HTMLInputElement>(null);
  const [isGifOpen, setGifOpen] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={place.kind === "channel" ? labels.addMenu : labels.addMenuDirect}>
            <Plus size={20} aria-hidden />
          </IconButton>
        }
        items={[
          mayAttach
            ? {
                label: labels.attach,
                icon: <Paperclip size={16} aria-hidden />,
                onSelect: () => picker.current?.click(),
              }
            : null,
          mayAsk
            ? { label: labels.poll.create, icon: <ChartBar size={16} aria-hidden />, onSelect: () => create("poll") }
            : null,
          mayAsk
            ? {
                label: labels.event.create,
                icon: <CalendarPlus size={16} aria-hidden />,
                onSelect: () => create("event"),
              }
            : null,
          { label: labels.gif.create, icon: <Clapperboard size={16} aria-hidden />, onSelect: () => setGifOpen(true) },
          onPlan === null
            ? null
            : { label: texts.inbox.plans.title, icon: <Clock size={16} aria-hidden />, onSelect: onPlan },
        ]}
      />
      <input
        ref={picker}
        type="file"
        multiple
        className={styles.picker}
        aria-label={labels.attach}
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {isGifOpen ? <GifDialog threadId={threadId} onClose={() => setGifOpen(false)} /> : null}
    </>
  );
}
