import { useMemo } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { TargetChoices } from "./target-choices.js";
import { type Target, targetsOf } from "./targets.js";

/** Dialog to open a channel, server or conversation by a few letters of its name. */
export function QuickSwitcher() {
  const { dialog, close } = useOpenDialog();
  return (
    <Dialog open={dialog?.kind === "switcher"} onOpenChange={close} title={texts.search.switcher}>
      <Choices onChoose={close} />
    </Dialog>
  );
}

function Choices({ onChoose }: { onChoose: () => void }) {
  const [, navigate] = useLocation();
  const labels = { field: texts.search.switcherHint, list: texts.search.switcher };
  const choose = (target: Target) => {
    navigate(target.path);
    onChoose();
  };
  return <TargetChoices targets={useTargets()} labels={labels} onChoose={choose} />;
}

/** Everything that can be opened. New unread messages do not change the order while the user chooses. */
export function useTargets(): Target[] {
  const { store } = useApp();
  const servers = useAppState((state) => state.servers);
  const channels = useAppState((state) => state.channels);
  // biome-ignore lint/correctness/useExhaustiveDependencies: servers and channels are read after the dialog may be open.
  return useMemo(() => targetsOf(store.getState()), [store, servers, channels]);
}
