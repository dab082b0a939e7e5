import { useState } from "react";
import { useLocation } from "wouter";
import { useApp } from "../../../state/app/use-app.js";
import type { Place } from "../../../state/conversations/histories.js";
import { messageRequests } from "../../../state/conversations/message-requests.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { onForm, textOf } from "../../../ui/data/form.js";
import { useAction } from "../../../ui/data/use-action.js";
import { TextField } from "../../../ui/forms/field.js";
import { Button } from "../../../ui/look/button.js";
import { Actions, Dialog } from "../../../ui/overlays/dialog.js";
import { useFocusRequest } from "../focus-request.js";
import { dayOf, startOf } from "./days.js";

/**
 * Leads to the first message of a day, to the next one when that day has none, and to the newest one after all others.
 *
 * @param props.path of the conversation, below `/app`
 */
export function DateDialog({ place, path, onClose }: { place: Place; path: string; onClose: () => void }) {
  const labels = texts.conversation.date;
  const { client } = useApp();
  const [, navigate] = useLocation();
  const askFocus = useFocusRequest(({ ask }) => ask);
  const [isEmpty, setEmpty] = useState(false);
  const { list } = messageRequests(client, place.kind);
  const going = useAction(async (form: FormData) => {
    const since = startOf(textOf(form, "day"));
    const [first] = await list(place.id, { limit: 1, since });
    const [found] = first === undefined ? await list(place.id, { limit: 1 }) : [first];
    setEmpty(found === undefined);
    if (found === undefined) return;
    navigate(`${path}/${found.id}`);
    askFocus(found.id);
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={labels.title} description={labels.explanation}>
      <form data-losable onSubmit={onForm(going.run)}>
        <TextField
          label={labels.day}
          name="day"
          type="date"
          max={dayOf(new Date())}
          required
          error={isEmpty ? labels.empty : null}
        />
        <ErrorNote error={going.error} />
        <Actions>
          <Button type="submit" disabled={going.isBusy}>
            {labels.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
