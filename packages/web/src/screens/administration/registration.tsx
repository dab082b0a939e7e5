import type { InstanceSettings } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { linesOf, onForm, showSaved, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, Choice, TextArea } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";

type Mode = InstanceSettings["registration_mode"];

const modes: readonly Mode[] = ["open", "invite_only", "closed"];
const addresses = ["optional", "required"] as const;
const challenges = ["off", "auto", "on"] as const;

/** Who may register: the mode, and what else the form asks for. */
export function RegistrationSection() {
  const { client } = useApp();
  const labels = texts.administration.registration;
  const [isSaved, setSaved] = useState(false);
  const settings = useData(useCallback((signal) => client.admin.settings({ signal }), [client]));
  const show = (changed: InstanceSettings) => settings.set(() => changed);
  const change = useAction(async (mode: Mode) => {
    show(await client.admin.updateSettings({ registration_mode: mode }));
    setSaved(true);
  });
  return (
    <AsyncContent data={settings}>
      {(current) => (
        <>
          <Panel title={labels.mode}>
            <Choice
              label={labels.mode}
              value={current.registration_mode}
              disabled={change.isBusy}
              onChange={(event) => {
                const mode = modes.find((name) => name === event.currentTarget.value);
                if (mode !== undefined) void change.run(mode);
              }}
            >
              {modes.map((mode) => (
                <option key={mode} value={mode}>
                  {labels[mode]}
                </option>
              ))}
            </Choice>
            <ErrorNote error={change.error} />
            <output>{isSaved ? labels.saved : ""}</output>
          </Panel>
          <ConditionsForm conditions={current.registration ?? {}} onSaved={show} />
        </>
      )}
    </AsyncContent>
  );
}

const linesText = (lines: readonly string[] | null | undefined) => lines?.join("\n") ?? "";

/** A key stands in the settings only where it differs from its default. */
function ConditionsForm({
  conditions,
  onSaved,
}: {
  conditions: NonNullable<InstanceSettings["registration"]>;
  onSaved: (settings: InstanceSettings) => void;
}) {
  const { client } = useApp();
  const labels = texts.administration.registration;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    const domains = linesOf(form, "email_domains");
    const changed = await client.admin.updateSettings({
      registration: {
        email: addresses.find((one) => one === textOf(form, "email")) ?? "optional",
        email_domains: domains.length === 0 ? null : domains,
        blocked_domains: linesOf(form, "blocked_domains"),
        approval: form.has("approval"),
        challenge: challenges.find((one) => one === textOf(form, "challenge")) ?? "off",
      },
    });
    for (const name of ["email_domains", "blocked_domains"] as const) {
      showSaved(fields.current, name, linesText(changed.registration?.[name]));
    }
    onSaved(changed);
    setSaved(true);
  });
  const { email = "optional", challenge = "off" } = conditions;
  return (
    <Panel title={labels.accept}>
      <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
        <Choice label={labels.email} name="email" defaultValue={email} data-initial={email}>
          {addresses.map((one) => (
            <option key={one} value={one}>
              {labels.emailChoices[one]}
            </option>
          ))}
        </Choice>
        <TextArea
          label={labels.emailDomains}
          hint={labels.emailDomainsHint}
          name="email_domains"
          dir="ltr"
          defaultValue={linesText(conditions.email_domains)}
        />
        <TextArea
          label={labels.blockedDomains}
          name="blocked_domains"
          dir="ltr"
          defaultValue={linesText(conditions.blocked_domains)}
        />
        <Checkbox
          label={labels.approval}
          hint={labels.approvalHint}
          name="approval"
          defaultChecked={conditions.approval ?? false}
        />
        <Choice
          label={labels.challenge}
          hint={labels.challengeHint}
          name="challenge"
          defaultValue={challenge}
          data-initial={challenge}
        >
          {challenges.map((one) => (
            <option key={one} value={one}>
              {labels.challenges[one]}
            </option>
          ))}
        </Choice>
        <ErrorNote error={save.error} />
        <Button type="submit" disabled={save.isBusy}>
          {texts.common.save}
        </Button>
        <output>{isSaved ? labels.saved : ""}</output>
      </form>
    </Panel>
  );
}
