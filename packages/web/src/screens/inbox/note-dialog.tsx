import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { textOrNull } from "../../ui/data/form.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextArea } from "../../ui/forms/field.js";
import { Dialog } from "../../ui/overlays/dialog.js";

const noteMax = 500;

/** Changes the note of a saved message. */
export function NoteDialog({
  messageId,
  note,
  onClose,
}: {
  messageId: string;
  note: string | null;
  onClose: () => void;
}) {
  const labels = texts.inbox.saved;
  const { saved } = useApp();
  return (
    <Dialog open onOpenChange={onClose} title={labels.editNote}>
      <EditForm onSave={(form) => saved.keep(messageId, true, textOrNull(form, "note"))} onClose={onClose}>
        <TextArea
          label={labels.note}
          name="note"
          hint={labels.noteHint}
          maxLength={noteMax}
          defaultValue={note ?? ""}
          autoFocus
        />
      </EditForm>
    </Dialog>
  );
}
