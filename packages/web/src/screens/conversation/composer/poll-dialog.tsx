import { Plus } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { textOf } from "../../../ui/data/form.js";
import { TextField } from "../../../ui/forms/field.js";
import { Button } from "../../../ui/look/button.js";
import type { CreationProps } from "./send-dialog.js";
import { SendDialog } from "./send-dialog.js";

const optionsMax = 10;

/** Creates a poll. */
export function PollDialog({ channelId, ...props }: CreationProps) {
  const labels = texts.conversation.poll;
  const { client } = useApp();
  const [count, setCount] = useState(2);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const send = (form: FormData) => {
    const given = form.getAll("option").flatMap((value) => (typeof value === "string" && value.trim() ? value : []));
    return client.polls.send(channelId, { question: textOf(form, "question"), options: given });
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
    </SendDialog>
  );
}
