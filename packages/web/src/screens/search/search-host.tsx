import { type ReactNode, useEffect } from "react";
import { create } from "zustand";
import { texts } from "../../texts/texts.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import { useOpenDialog } from "../actions/open-dialog.js";

interface SearchDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The user goes to a result, and may come back. */
  onLeave: () => void;
}

const SearchDialog = lazyPart<SearchDialogProps>(async () => (await import("./search-dialog.js")).SearchDialog, {
  missing: ({ isOpen, onClose }, note: ReactNode) => (
    <Dialog open={isOpen} onOpenChange={onClose} title={texts.search.title}>
      {note}
    </Dialog>
  ),
});

/** Whether the results of a search are kept, because the user has gone to one of them. */
export const useLeftSearch = create<{ isLeft: boolean }>(() => ({ isLeft: false }));

/** The search, while it is open, and while its results are kept. */
export function SearchHost() {
  const isOpen = useOpenDialog(({ dialog }) => dialog?.kind === "search");
  const close = useOpenDialog((dialogs) => dialogs.close);
  const isLeft = useLeftSearch((search) => search.isLeft);
  const end = (leaves: boolean) => {
    useLeftSearch.setState({ isLeft: leaves });
    close();
  };
  // The end of a session is the end of its search.
  useEffect(
    () => () => {
      useLeftSearch.setState({ isLeft: false });
      const { dialog, close: closeDialog } = useOpenDialog.getState();
      if (dialog?.kind === "search") closeDialog();
    },
    [],
  );
  return isOpen || isLeft ? (
    <SearchDialog isOpen={isOpen} onClose={() => end(false)} onLeave={() => end(true)} />
  ) : null;
}
