import { texts } from "../../texts/texts.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { GigabytesField, gigabytesIn } from "./gigabytes-field.js";

/** Changes the quota of one account or server; null returns to that of the installation. */
export function QuotaDialog({
  name,
  quota,
  onSave,
  onClose,
}: {
  name: string;
  quota: number | undefined;
  onSave: (quota: number | null) => Promise<unknown>;
  onClose: () => void;
}) {
  const labels = texts.administration.storage;
  return (
    <Dialog open onOpenChange={onClose} title={texts.administration.users.quotaTitle(name)}>
      <EditForm onSave={(form) => onSave(gigabytesIn(form, "quota"))} onClose={onClose}>
        <GigabytesField label={labels.quotaOfOne} hint={labels.quotaOfOneHint} name="quota" bytes={quota ?? null} />
      </EditForm>
    </Dialog>
  );
}
