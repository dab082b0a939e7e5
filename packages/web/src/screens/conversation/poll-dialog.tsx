import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { messageSent } from "../../state/message-events.js";
import { usePage } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { TextField } from "../../ui/field.js";
import { onForm, textOf } from "../../ui/form.js";
import { useAction } from "../../ui/use-action.js";

const optionsMax = 10;

/** Asks a question with a few answers. */
export function PollDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const names = texts.conversation.poll;
  const { client, store } = usePage();
  const [count, setCount] = useState(2);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const send = useAction(
    useCallback(
      async (form: FormData) => {
        const options = form
          .getAll("option")
          .flatMap((value) => (typeof value === "string" && value.trim() ? value : []));
        const message = await client.polls.send(channelId, { question: textOf(form, "question"), options });
        store.setState((state) => messageSent(state, message));
        onClose();
      },
      [client, store, channelId, onClose],
    ),
  );
  return (
    <Dialog open onOpenChange={onClose} title={names.create}>
      <form onSubmit={onForm(send.run)}>
        <TextField label={names.question} name="question" required maxLength={500} autoFocus />
        {numbers.map((number) => (
          <TextField key={number} label={names.option(number)} name="option" required={number <= 2} maxLength={200} />
        ))}
        {count < optionsMax ? (
          <Button kind="quiet" onClick={() => setCount(count + 1)}>
            <Plus size={16} aria-hidden />
            {names.add}
          </Button>
        ) : null}
        <ErrorNote error={send.error} />
        <Actions>
          <Button type="submit" disabled={send.isBusy}>
            {names.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
