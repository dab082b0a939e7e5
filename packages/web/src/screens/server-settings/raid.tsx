import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { numberOrNull, onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";

/** Minutes that a raid by hand lasts, unless another number is typed. */
const usualMinutes = 30;

/** Whether the server is under raid, and the moderators' means against it. */
export function RaidPanel({ serverId, mayBan }: { serverId: string; mayBan: boolean }) {
  const { client } = useApp();
  const labels = texts.serverSettings.safety;
  const [done, setDone] = useState("");
  const raid = useData(useCallback((signal) => client.safety.raid(serverId, { signal }), [client, serverId]));
  const reloadIfOwn = ({ server_id }: { server_id: string }) => {
    if (server_id === serverId) void raid.reload();
  };
  useGatewayEvent("SERVER_RAID_START", reloadIfOwn);
  useGatewayEvent("SERVER_RAID_END", reloadIfOwn);
  const begin = useAction(async (minutes: number) => {
    const { until } = await client.safety.setRaid(serverId, { minutes });
    raid.set((before) => ({ ...before, until }));
  });
  const end = useAction(async () => {
    await client.safety.endRaid(serverId);
    raid.set((before) => ({ ...before, until: null }));
  });
  const ban = async () => {
    const { banned, failed } = await client.safety.banRaiders(serverId, {});
    setDone(labels.bannedJoined(banned.length, failed.length));
  };
  return (
    <Panel title={labels.raid} hint={labels.raidHint}>
      <AsyncContent data={raid}>
        {({ until, joined }) => (
          <>
            <p role="status">{until === null ? labels.noRaid : labels.underRaid(showTime(until))}</p>
            {joined === 0 ? null : <p>{labels.joined(joined)}</p>}
            {until === null ? (
              <form onSubmit={onForm((form) => begin.run(numberOrNull(form, "minutes") ?? usualMinutes))}>
                <TextField
                  label={labels.minutes}
                  name="minutes"
                  type="number"
                  min={1}
                  max={1_440}
                  defaultValue={usualMinutes}
                />
                <Button type="submit" kind="quiet" disabled={begin.isBusy}>
                  {labels.begin}
                </Button>
              </form>
            ) : (
              <Button kind="quiet" disabled={end.isBusy} onClick={() => end.run()}>
                {labels.end}
              </Button>
            )}
            <ErrorNote error={begin.error ?? end.error} />
            {mayBan && joined > 0 ? (
              <ConfirmButton
                label={labels.banJoined}
                title={labels.banTitle(joined)}
                explanation={labels.banExplanation}
                onConfirm={ban}
              />
            ) : null}
            <output>{done}</output>
          </>
        )}
      </AsyncContent>
    </Panel>
  );
}
