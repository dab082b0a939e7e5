import type { ReactNode } from "react";
import { texts } from "../../../texts/texts.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import type { Creation } from "../context.js";
import type { CreationProps } from "./send-dialog.js";

const inDialog = (kind: Creation) => ({
  missing: ({ onClose }: CreationProps, note: ReactNode) => (
    <Dialog open onOpenChange={onClose} title={texts.conversation[kind].create}>
      {note}
    </Dialog>
  ),
});
const PollDialog = lazyPart(async () => (await import("./poll-dialog.js")).PollDialog, inDialog("poll"));
const EventDialog = lazyPart(async () => (await import("./event-dialog.js")).EventDialog, inDialog("event"));

/**
 * Creates a poll or an event. It stands beside the composer, which goes when the channel becomes read-only: text in
 * this dialog stays.
 */
export function CreationDialog({ kind, ...props }: CreationProps & { kind: Creation }) {
  return kind === "poll" ? <PollDialog {...props} /> : <EventDialog {...props} />;
}
