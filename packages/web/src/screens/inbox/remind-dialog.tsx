import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { fieldOf, morningIn } from "../../state/kept/times.js";
import { texts } from "../../texts/texts.js";
import { textOrNull } from "../../ui/data/form.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextArea } from "../../ui/forms/field.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { useNotice } from "../../ui/page/notice.js";
import { comingMoment, TimeField } from "./time-field.js";

const textMax = 500;

/** Sets a reminder of a message, or of a text alone, at any time. */
export function RemindDialog({
  messageId,
  text,
  onClose,
}: {
  messageId: string | null;
  text: string | null;
  onClose: () => void;
}) {
  const labels = texts.inbox.remind;
  const { client } = useApp();
  const say = useNotice((notice) => notice.show);
  const [at, setAt] = useState(() => fieldOf(morningIn(1)));
  const save = async (form: FormData) => {
    const moment = comingMoment(at);
    const about = messageId === null ? {} : { message_id: messageId };
    await client.reminders.add({ ...about, text: textOrNull(form, "text"), at: moment });
    say(labels.set(showTime(moment)));
  };
  return (
    <Dialog open onOpenChange={onClose} title={labels.title}>
      <EditForm onSave={save} onClose={onClose}>
        <TimeField value={at} onChange={setAt} />
        <TextArea
          label={labels.text}
          name="text"
          hint={labels.textHint}
          maxLength={textMax}
          defaultValue={text ?? ""}
          required={messageId === null}
        />
      </EditForm>
    </Dialog>
  );
}
