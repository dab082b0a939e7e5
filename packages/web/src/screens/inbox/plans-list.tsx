import type { DispatchEvents, ScheduledMessage } from "@parley/client";
import { Clock } from "lucide-react";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useEventPages } from "../../state/app/use-event-pages.js";
import { refusalText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { KeptRow } from "./kept-row.js";

const events: readonly (keyof DispatchEvents)[] = ["SCHEDULED_MESSAGE_UPDATE"];
const idOf = ({ id }: ScheduledMessage) => id;

/** The messages that are sent at a later time, the next one first, and those that were refused then. */
export function PlansList() {
  const labels = texts.inbox;
  const { client } = useApp();
  const { data } = useEventPages(
    useCallback(
      async (_, signal) =>
        (await client.scheduledMessages.list(signal === undefined ? {} : { signal })).scheduled_messages,
      [client],
    ),
    events,
    idOf,
  );
  return (
    <AsyncRows data={data} label={labels.tabs.scheduled} empty={labels.plans.empty}>
      {(plan) => <PlanRow key={plan.id} plan={plan} />}
    </AsyncRows>
  );
}

function PlanRow({ plan }: { plan: ScheduledMessage }) {
  const labels = texts.inbox.plans;
  const { client } = useApp();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const { id, channel_id, content, send_at, error } = plan;
  const head = error === null ? labels.sends(showTime(send_at)) : labels.refused;
  return (
    <KeptRow
      head={head}
      picture={<Clock size={24} strokeWidth={1.5} aria-hidden />}
      place={{ channelId: channel_id }}
      message={null}
      text={content}
      note={<ErrorNote error={error === null ? null : refusalText({ code: error.code, text: error.message })} />}
      time={error === null ? null : send_at}
      actions={
        <>
          <Button
            kind="quiet"
            aria-label={`${labels.edit}: ${head}`}
            onClick={() => open({ kind: "change plan", plan })}
          >
            {labels.edit}
          </Button>
          <RowMenu
            name={head}
            actions={[
              {
                label: labels.drop,
                danger: true,
                question: {
                  title: labels.dropTitle,
                  explanation: labels.dropExplanation,
                  onConfirm: () => client.scheduledMessages.delete(id),
                },
              },
            ]}
          />
        </>
      }
    />
  );
}
