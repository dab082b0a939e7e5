import { Plus } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { textOf } from "../../../ui/data/form.js";
import { Choice, TextField } from "../../../ui/forms/field.js";
import { Button } from "../../../ui/look/button.js";
import { showDuration, showNumber } from "../../../ui/look/show.js";
import type { CreationProps } from "./send-dialog.js";
import { SendDialog } from "./send-dialog.js";

const optionsMax = 10;
/** After which a poll may end. */
const endMinutes = [60, 480, 1_440, 4_320, 10_080];

/** Creates a poll. */
export function PollDialog({ channelId, ...props }: CreationProps) {
  const labels = texts.conversation.poll;
  const { client } = useApp();
  const [count, setCount] = useState(2);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const send = (form: FormData) => {
    const given = form.getAll("option").flatMap((value) => (typeof value === "string" && value.trim() ? value : []));
    const multiple = Number(textOf(form, "multiple"));
    const minutes = Number(textOf(form, "ends"));
    return client.polls.send(channelId, {
      question: textOf(form, "question"),
      options: given,
      ...(multiple === 1 ? {} : { multiple }),
      ...(minutes === 0 ? {} : { ends_in_minutes: minutes }),
    });
  };
  return (
    <SendDialog title={labels.create} submit={labels.submit} send={send} {...props}>
      <TextField label={labels.question} name="question" required maxLength={500} autoFocus />
      {numbers.map((number) => (
        <TextField key={number} label={labels.option(number)} name="option" required={number <= 2} maxLength={200} />
      ))}
      {count < optionsMax ? (
        <Button kind="quiet" onClick={() => setCount(count + 1)}>
          <Plus size={16} aria-hidden />
          {labels.add}
        </Button>
      ) : null}
      <Choice label={labels.multiple} name="multiple" defaultValue={1}>
        {numbers.map((number) => (
          <option key={number} value={number}>
            {showNumber(number)}
          </option>
        ))}
      </Choice>
      <Choice label={labels.endsAfter} name="ends" defaultValue={0}>
        <option value={0}>{labels.never}</option>
        {endMinutes.map((minutes) => (
          <option key={minutes} value={minutes}>
            {showDuration(minutes * 60)}
          </option>
        ))}
      </Choice>
    </SendDialog>
  );
}
