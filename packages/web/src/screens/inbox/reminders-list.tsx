import type { DispatchEvents, Reminder } from "@parley/client";
import { AlarmClock, Plus } from "lucide-react";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useEventPages } from "../../state/app/use-event-pages.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { useNotice } from "../../ui/page/notice.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import styles from "./inbox.module.css";
import { KeptRow } from "./kept-row.js";

const events: readonly (keyof DispatchEvents)[] = ["REMINDER_UPDATE"];
const idOf = ({ id }: Reminder) => id;

/** The reminders that wait for their time, the next one first. */
export function RemindersList() {
  const labels = texts.inbox;
  const { client } = useApp();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const { data } = useEventPages(
    useCallback(
      async (_, signal) => (await client.reminders.list(signal === undefined ? {} : { signal })).reminders,
      [client],
    ),
    events,
    idOf,
  );
  return (
    <>
      <div className={styles.above}>
        <Button kind="quiet" onClick={() => open({ kind: "remind", messageId: null, text: null })}>
          <Plus size={16} aria-hidden />
          {labels.remind.add}
        </Button>
      </div>
      <AsyncRows data={data} label={labels.tabs.reminders} empty={labels.remind.empty}>
        {(reminder) => <ReminderRow key={reminder.id} reminder={reminder} />}
      </AsyncRows>
    </>
  );
}

function ReminderRow({ reminder: { id, text, at } }: { reminder: Reminder }) {
  const labels = texts.inbox.remind;
  const { client } = useApp();
  const say = useNotice((notice) => notice.show);
  const head = text ?? labels.aboutMessage;
  return (
    <KeptRow
      head={head}
      picture={<AlarmClock size={24} strokeWidth={1.5} aria-hidden />}
      place={{ channelId: null }}
      message={null}
      time={at}
      actions={
        <Button
          kind="ask"
          aria-label={`${labels.drop}: ${head}`}
          onClick={() => void client.reminders.remove(id).catch((error: unknown) => say(errorText(error)))}
        >
          {labels.drop}
        </Button>
      }
    />
  );
}
