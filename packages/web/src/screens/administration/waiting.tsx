import type { Registration } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Chips } from "../../ui/forms/chips.js";
import { TextArea } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Details, Row } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";

const pageSize = 25;
const states = ["pending", "declined"] as const;
type State = (typeof states)[number];

/** The registrations that wait for an administrator, and those that one has declined. */
export function WaitingSection() {
  const { client, store } = useApp();
  const labels = texts.administration.waiting;
  const [state, setState] = useState<State>("pending");
  const [declining, setDeclining] = useState<Registration | null>(null);
  const [done, setDone] = useState("");
  const read = useCallback(
    async (before: string | undefined, signal?: AbortSignal) => {
      const query = { state, limit: pageSize, ...(before === undefined ? {} : { before }) };
      const { registrations, total } = await client.admin.registrations(query, signal === undefined ? {} : { signal });
      if (state === "pending") store.apply((known) => ({ ...known, waitingRegistrations: total }));
      return registrations;
    },
    [client, store, state],
  );
  const list = useData(useCallback((signal) => read(undefined, signal), [read]));
  const older = useAction((last: Registration) =>
    list.extend(async () => {
      const page = await read(last.user_id);
      return (known) => [...known, ...page];
    }),
  );
  const decided = ({ user_id }: Registration, text: string) => {
    list.set((known) => known.filter((one) => one.user_id !== user_id));
    store.apply((known) => ({ ...known, waitingRegistrations: Math.max(0, known.waitingRegistrations - 1) }));
    setDone(text);
  };
  const approve = useAction(async (one: Registration) => {
    await client.admin.approveRegistration(one.user_id);
    decided(one, labels.approved(one.username));
  });
  return (
    <>
      <Chips
        label={labels.state}
        choices={states.map((value) => ({ value, label: labels.states[value] }))}
        value={state}
        onChoose={(chosen) => {
          setDone("");
          setState(chosen);
        }}
      />
      <ErrorNote error={approve.error} />
      <p role="status">{done}</p>
      <AsyncRows
        data={list}
        label={labels.title}
        empty={labels.none[state]}
        more={{ label: labels.more, pageSize, action: older }}
      >
        {(one) => (
          <Row
            key={one.user_id}
            title={<bdi>{one.username}</bdi>}
            detail={<Application registration={one} />}
            actions={
              state === "declined" ? undefined : (
                <>
                  <Button
                    aria-label={labels.approveFor(one.username)}
                    disabled={approve.isBusy}
                    onClick={() => approve.run(one)}
                  >
                    {labels.approve}
                  </Button>
                  <Button kind="quiet" aria-label={labels.declineFor(one.username)} onClick={() => setDeclining(one)}>
                    {labels.decline}
                  </Button>
                </>
              )
            }
          />
        )}
      </AsyncRows>
      {declining === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={() => setDeclining(null)}
          title={labels.declineTitle(declining.username)}
          explanation={labels.declineExplanation}
          confirmLabel={labels.decline}
          onConfirm={async (form) => {
            await client.admin.declineRegistration(declining.user_id, { reason: textOrNull(form, "reason") });
            decided(declining, labels.declined(declining.username));
          }}
        >
          <TextArea label={labels.reason} hint={labels.reasonHint} name="reason" maxLength={500} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Application({ registration }: { registration: Registration }) {
  const { email, created_at, network, application } = registration;
  return (
    <>
      <Details parts={[...(email === null ? [] : [email]), showTime(created_at), network]} />
      {application === null ? null : <blockquote dir="auto">{application}</blockquote>}
    </>
  );
}
