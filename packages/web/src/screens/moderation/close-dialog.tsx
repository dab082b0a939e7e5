import { useState } from "react";
import { texts } from "../../texts/texts.js";
import { ConfirmDialog } from "../../ui/confirm.js";
import { TextArea } from "../../ui/field.js";

/** Asks for a note before a report is closed. */
export function CloseDialog({
  note: before,
  onConfirm,
  onClose,
}: {
  note: string | null;
  onConfirm: (note: string | null) => Promise<unknown>;
  onClose: () => void;
}) {
  const labels = texts.moderation;
  const [note, setNote] = useState(before ?? "");
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={labels.closeTitle}
      explanation={labels.closeExplanation}
      confirmLabel={labels.close}
      tone="plain"
      onConfirm={() => onConfirm(note.trim() || null)}
    >
      <TextArea
        label={labels.note}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
