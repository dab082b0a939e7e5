import { Dialog } from "../../ui/overlays/dialog.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import { type ActionDialog, useOpenDialog } from "../actions/open-dialog.js";

const ActionDialogs = lazyPart<{ dialog: ActionDialog; onClose: () => void }>(
  async () => (await import("./action-dialogs.js")).ActionDialogs,
  {
    missing: ({ onClose }, note) => (
      <Dialog open onOpenChange={onClose} title="">
        {note}
      </Dialog>
    ),
  },
);

/** Shows the dialog of the action that was chosen. */
export function OpenDialogHost() {
  const { dialog, close } = useOpenDialog();
  return dialog === null || dialog.kind === "switcher" || dialog.kind === "search" ? null : (
    <ActionDialogs dialog={dialog} onClose={close} />
  );
}
