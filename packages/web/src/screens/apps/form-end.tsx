import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { Button } from "../../ui/look/button.js";
import { Actions } from "../../ui/overlays/dialog.js";

/** The end of a form that goes to a bot: the failure, and the buttons that leave and send it. */
export function FormEnd({ error, isBusy, onLeave }: { error: ReactNode; isBusy: boolean; onLeave: () => void }) {
  return (
    <>
      <ErrorNote error={error} />
      <Actions>
        <Button kind="quiet" onClick={onLeave}>
          {texts.common.cancel}
        </Button>
        <Button type="submit" disabled={isBusy}>
          {texts.apps.submit}
        </Button>
      </Actions>
    </>
  );
}
