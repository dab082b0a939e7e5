import type { ScheduledMessage } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import type { Place } from "../../state/conversations/histories.js";
import { daysToMonday, fieldOf, inMinutes, morningIn } from "../../state/kept/times.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { EditForm } from "../../ui/forms/edit-form.js";
import { TextArea } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { useNotice } from "../../ui/page/notice.js";
import styles from "./inbox.module.css";
import { comingMoment, TimeField } from "./time-field.js";

const textMax = 4_000;

/** A text of the composer that is to be sent later. */
export interface PlanDialogProps {
  place: Place;
  threadId: string | null;
  content: string;
  replyTo: string | null;
  onPlanned: () => void;
  onClose: () => void;
}

/** Chooses when a text is sent. */
export function PlanDialog({ place, threadId, content, replyTo, onPlanned, onClose }: PlanDialogProps) {
  const labels = texts.inbox.plans;
  const { client } = useApp();
  const say = useNotice((notice) => notice.show);
  const [nonce] = useState(() => crypto.randomUUID());
  const [at, setAt] = useState(() => fieldOf(morningIn(1)));
  const plan = useAction(async () => {
    const send_at = comingMoment(at);
    const body = { content, nonce, send_at, ...(replyTo === null ? {} : { reply_to: replyTo }) };
    if (place.kind === "direct") await client.directMessages.send(place.id, body);
    else if (threadId === null) await client.messages.send(place.id, body);
    else await client.threads.reply(place.id, threadId, { content, nonce, send_at });
    onPlanned();
    onClose();
    say(labels.set(showTime(send_at)));
  });
  const presets = [
    { label: labels.inAnHour, moment: () => inMinutes(60) },
    { label: labels.tomorrow, moment: () => morningIn(1) },
    { label: labels.monday, moment: () => morningIn(daysToMonday()) },
  ];
  return (
    <Dialog open onOpenChange={onClose} title={labels.title}>
      <form onSubmit={onForm(() => plan.run())}>
        <fieldset className={styles.presets}>
          <legend className="visually-hidden">{labels.presets}</legend>
          {presets.map(({ label, moment }) => (
            <Button key={label} kind="quiet" onClick={() => setAt(fieldOf(moment()))}>
              {label}
            </Button>
          ))}
        </fieldset>
        <TimeField value={at} onChange={setAt} />
        <ErrorNote error={plan.error} />
        <Actions>
          <Button kind="quiet" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" disabled={plan.isBusy}>
            {labels.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** Changes text and time of a message that was planned; one that was refused waits again. */
export function ChangePlanDialog({ plan, onClose }: { plan: ScheduledMessage; onClose: () => void }) {
  const labels = texts.inbox.plans;
  const { client } = useApp();
  const [at, setAt] = useState(() => fieldOf(plan.error === null ? new Date(plan.send_at) : inMinutes(5)));
  return (
    <Dialog open onOpenChange={onClose} title={labels.editTitle}>
      <EditForm
        onSave={(form) =>
          client.scheduledMessages.update(plan.id, { content: textOf(form, "text"), send_at: comingMoment(at) })
        }
        onClose={onClose}
      >
        <TimeField value={at} onChange={setAt} />
        <TextArea label={labels.text} name="text" rows={5} maxLength={textMax} defaultValue={plan.content} required />
      </EditForm>
    </Dialog>
  );
}
