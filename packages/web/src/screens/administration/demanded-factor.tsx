import type { InstanceSettings } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";

type Demand = NonNullable<InstanceSettings["require_second_factor"]>;
const demands: readonly Demand[] = ["none", "administrators", "everyone"];

/** Who needs a second factor. To demand one asks first, because others may then do nothing else. */
export function DemandedFactor() {
  const { client } = useApp();
  const labels = texts.administration.security;
  const [asked, ask] = useState<Exclude<Demand, "none"> | null>(null);
  const [isSaved, setSaved] = useState(false);
  const settings = useData(useCallback((signal) => client.admin.settings({ signal }), [client]));
  const demand = async (who: Demand) => {
    const changed = await client.admin.updateSettings({ require_second_factor: who });
    settings.set(() => changed);
    setSaved(true);
  };
  const end = useAction(() => demand("none"));
  return (
    <AsyncContent data={settings}>
      {({ require_second_factor: current = "none" }) => (
        <>
          <Choice
            label={labels.demand}
            value={current}
            disabled={end.isBusy}
            onChange={(event) => {
              const who = demands.find((one) => one === event.currentTarget.value) ?? "none";
              setSaved(false);
              if (who === "none") void end.run();
              else ask(who);
            }}
          >
            {demands.map((who) => (
              <option key={who} value={who}>
                {labels.demands[who]}
              </option>
            ))}
          </Choice>
          <ErrorNote error={end.error} />
          <output>{isSaved ? texts.administration.registration.saved : ""}</output>
          {asked === null ? null : (
            <ConfirmDialog
              open
              onOpenChange={() => ask(null)}
              title={labels.factorTitle[asked]}
              explanation={labels.factorExplanation[asked]}
              confirmLabel={labels.factorConfirm}
              tone="plain"
              onConfirm={() => demand(asked)}
            />
          )}
        </>
      )}
    </AsyncContent>
  );
}
