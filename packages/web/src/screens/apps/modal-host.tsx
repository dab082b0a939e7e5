import type { ReactNode } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import type { OpenModal } from "../../state/store/app-state.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { lazyPart } from "../../ui/page/lazy-part.js";

const ModalDialog = lazyPart<{ open: OpenModal }>(async () => (await import("./modal-dialog.js")).ModalDialog, {
  missing: ({ open }, note) => <MissingModal open={open}>{note}</MissingModal>,
});

/** Shows the form that a bot waits for; the oldest one, if there are several. */
export function ModalHost() {
  const open = useAppState(({ modals }) => modals[0]);
  return open === undefined ? null : <ModalDialog key={open.interactionId} open={open} />;
}

function MissingModal({ open, children }: { open: OpenModal; children: ReactNode }) {
  const { interactions } = useApp();
  return (
    <Dialog open onOpenChange={() => interactions.closeModal(open)} title={open.modal.title}>
      {children}
    </Dialog>
  );
}
