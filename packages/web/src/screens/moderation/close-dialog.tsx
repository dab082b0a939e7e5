import { texts } from "../../texts/texts.js";
import { textOrNull } from "../../ui/data/form.js";
import { TextArea } from "../../ui/forms/field.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";

/** Asks for a note before a report is closed. */
export function CloseDialog({
  note,
  onConfirm,
  onClose,
}: {
  note: string | null;
  onConfirm: (note: string | null) => Promise<unknown>;
  onClose: () => void;
}) {
  const labels = texts.moderation;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={labels.closeTitle}
      explanation={labels.closeExplanation}
      confirmLabel={labels.close}
      tone="plain"
      onConfirm={(form) => onConfirm(textOrNull(form, "note"))}
    >
      <TextArea label={labels.note} name="note" maxLength={1000} defaultValue={note ?? ""} />
    </ConfirmDialog>
  );
}
