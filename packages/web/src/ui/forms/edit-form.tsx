import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../data/async-content.js";
import { onForm } from "../data/form.js";
import { useAction } from "../data/use-action.js";
import { Button } from "../look/button.js";
import { Actions } from "../overlays/dialog.js";

/** A form of changes in a dialog; closes once they are saved, or without. */
export function EditForm({
  onSave,
  onClose,
  children,
}: {
  onSave: (form: FormData) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const save = useAction(onSave);
  return (
    <form
      onSubmit={onForm(async (form) => {
        if (await save.run(form)) onClose();
      })}
    >
      {children}
      <ErrorNote error={save.error} />
      <Actions>
        <Button kind="quiet" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
      </Actions>
    </form>
  );
}
