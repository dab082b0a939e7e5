import type { InstanceSettings } from "@parley/client";
import { Check, Circle } from "lucide-react";
import { useCallback } from "react";
import { Link } from "wouter";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { Row, Rows } from "../../ui/lists/rows.js";

/** The steps, each with the place of its form. */
const steps = [
  ["name", "/admin/installation"],
  ["logo", "/admin/installation"],
  ["mail", "/account/email"],
  ["registration", "/admin/registration"],
  ["terms", "/admin/installation"],
  ["files", "/admin/storage"],
] as const;
type Step = (typeof steps)[number][0];

/** Settings stand there only where they differ from their defaults, so somebody chose those that do. */
const doneOf = (settings: InstanceSettings, isMailed: boolean): Readonly<Record<Step, boolean>> => ({
  name: settings.name !== undefined,
  logo: settings.logo_url !== undefined,
  mail: isMailed,
  registration: settings.registration_mode !== "open" || settings.registration !== undefined,
  terms: (settings.terms ?? null) !== null,
  files: settings.files === "any",
});

/** Leads an administrator through a new installation. What the installation has ticks each step, so one can go on later. */
export function SetUpSection() {
  const { client } = useApp();
  const labels = texts.administration.setUp;
  const data = useData(
    useCallback(
      async (signal) => {
        const read = [client.admin.settings({ signal }), client.auth.email({ signal })] as const;
        const [settings, { verified }] = await Promise.all(read);
        return doneOf(settings, verified);
      },
      [client],
    ),
  );
  return (
    <AsyncContent data={data}>
      {(done) => (
        <Rows label={labels.title}>
          {steps.map(([step, place]) => (
            <Row
              key={step}
              picture={done[step] ? <Check size={18} aria-hidden /> : <Circle size={18} aria-hidden />}
              title={<Link href={place}>{labels[step]}</Link>}
              detail={done[step] ? labels.done : labels.hints[step]}
            />
          ))}
        </Rows>
      )}
    </AsyncContent>
  );
}
