import { type ReactNode, useState } from "react";
import { texts } from "../../texts/texts.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";

/** A button, and the dialog that it opens: fields of the account that change with its password. */
export function ChangeWithPassword({
  label,
  onSave,
  children,
}: {
  label: string;
  onSave: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={label}>
        <EditForm onSave={onSave} onClose={() => setOpen(false)}>
          {children}
          <TextField
            label={texts.login.password}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        </EditForm>
      </Dialog>
    </>
  );
}
