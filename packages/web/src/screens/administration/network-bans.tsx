import type { NetworkBan } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Details, Row } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";
import { DurationOptions } from "../actions/durations.js";

const pageSize = 25;
/** After which a ban may end by itself: an hour to a month. */
const banSeconds = [3_600, 86_400, 604_800, 2_592_000];

/** The banned networks, newest first. */
export function NetworkBans() {
  const { client } = useApp();
  const labels = texts.administration.security;
  const list = useData(
    useCallback(async (signal) => (await client.admin.networkBans({ limit: pageSize }, { signal })).bans, [client]),
  );
  const older = useAction((last: NetworkBan) =>
    list.extend(async () => {
      const { bans } = await client.admin.networkBans({ limit: pageSize, before: last.id });
      return (known) => [...known, ...bans];
    }),
  );
  const unban = useAction(async ({ id }: NetworkBan) => {
    await client.admin.unbanNetwork(id);
    list.set((known) => known.filter((ban) => ban.id !== id));
  });
  return (
    <>
      <BanForm onBanned={(ban) => list.set((known) => [ban, ...known.filter(({ cidr }) => cidr !== ban.cidr)])} />
      <ErrorNote error={unban.error} />
      <AsyncRows
        data={list}
        label={labels.bans}
        empty={labels.none}
        more={{ label: labels.more, pageSize, action: older }}
      >
        {(ban) => (
          <Row
            key={ban.id}
            title={<bdi>{ban.cidr}</bdi>}
            detail={<Details parts={detailsOf(ban)} />}
            actions={
              <Button
                kind="quiet"
                aria-label={labels.unbanFor(ban.cidr)}
                disabled={unban.isBusy}
                onClick={() => unban.run(ban)}
              >
                {labels.unban}
              </Button>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}

function detailsOf({ reason, created_at, expires_at }: NetworkBan): string[] {
  const until = expires_at === null ? [] : [texts.administration.security.until(showTime(expires_at))];
  return [...(reason === null ? [] : [reason]), showTime(created_at), ...until];
}

/** Asks before a network is banned, because its people are disconnected at once. */
function BanForm({ onBanned }: { onBanned: (ban: NetworkBan) => void }) {
  const { client } = useApp();
  const labels = texts.administration.security;
  const [asked, ask] = useState<{ form: HTMLFormElement; cidr: string } | null>(null);
  return (
    <>
      <form onSubmit={onForm((fields, form) => ask({ form, cidr: textOf(fields, "cidr").trim() }))}>
        <TextField label={labels.network} hint={labels.networkHint} name="cidr" dir="ltr" maxLength={64} required />
        <TextField label={labels.reason} name="reason" maxLength={512} />
        <Choice label={labels.duration} name="seconds" defaultValue={0} data-initial="0">
          <option value={0}>{labels.forGood}</option>
          <DurationOptions seconds={banSeconds} />
        </Choice>
        <Button type="submit">{labels.ban}</Button>
      </form>
      {asked === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={() => ask(null)}
          title={labels.banTitle(asked.cidr)}
          explanation={labels.banExplanation}
          confirmLabel={labels.ban}
          onConfirm={async () => {
            const fields = new FormData(asked.form);
            const seconds = Number(textOf(fields, "seconds"));
            const ban = await client.admin.banNetwork({
              cidr: asked.cidr,
              reason: textOrNull(fields, "reason"),
              ...(seconds === 0 ? {} : { expires_in_minutes: seconds / 60 }),
            });
            asked.form.reset();
            onBanned(ban);
          }}
        />
      )}
    </>
  );
}
