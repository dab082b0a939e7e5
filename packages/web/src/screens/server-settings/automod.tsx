import { type AutomodConfig, type AutomodUpdateBody, ParleyError } from "@parley/client";
import { type ReactNode, useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useSettingsUpdates } from "../../state/app/use-settings-updates.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { numberOrNull, onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, Choice, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { useFollowedFields } from "../../ui/page/use-followed-fields.js";
import { AutomodLog } from "./automod-log.js";
import { AutomodWords } from "./automod-words.js";
import { OwnRules } from "./rules/own-rules.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

type Action = AutomodConfig["spam_action"];

const actions: readonly Action[] = ["delete", "timeout", "kick", "ban"];

/** The rules of auto-moderation, the words of the filter and the log. */
export function AutomodSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.automod;
  const config = useData(
    useCallback(
      async (signal) => {
        try {
          return await client.automod.get(server.id, { signal });
        } catch (error) {
          // The server has no settings yet: an empty change creates the defaults.
          if (error instanceof ParleyError && error.status === 404)
            return client.automod.update(server.id, {}, { signal });
          throw error;
        }
      },
      [client, server.id],
    ),
  );
  useSettingsUpdates(server.id, "automod", config.reload);
  return (
    <>
      <AsyncContent data={config}>
        {(value) => <BuiltInRules config={value} onSaved={(changed) => config.set(() => changed)} />}
      </AsyncContent>
      <OwnRules serverId={server.id} />
      <Panel title={labels.log}>
        <AutomodLog serverId={server.id} />
      </Panel>
    </>
  );
}

interface ConfigProps {
  config: AutomodConfig;
  onSaved: (config: AutomodConfig) => void;
}

/** A panel for each rule, below the one with what all of them have. */
function BuiltInRules(props: ConfigProps) {
  const { config } = props;
  const labels = texts.serverSettings.automod;
  return (
    <>
      <Panel title={labels.builtIn}>
        <ConfigForm
          {...props}
          changes={(form) => ({
            enabled: form.has("enabled"),
            timeout_minutes: numberOrNull(form, "timeout_minutes"),
          })}
        >
          <Checkbox label={labels.enabled} hint={labels.enabledHint} name="enabled" defaultChecked={config.enabled} />
          <TextField
            label={labels.minutes}
            name="timeout_minutes"
            type="number"
            min={1}
            max={10_080}
            defaultValue={config.timeout_minutes}
          />
        </ConfigForm>
      </Panel>
      <Panel title={labels.rules.spam}>
        <SpamForm {...props} />
      </Panel>
      <Panel title={labels.rules.duplicate}>
        <ConfigForm {...props} changes={(form) => ({ duplicate_enabled: form.has("duplicate_enabled") })}>
          <Checkbox label={labels.duplicates} name="duplicate_enabled" defaultChecked={config.duplicate_enabled} />
        </ConfigForm>
      </Panel>
      <Panel title={labels.words}>
        <ConfigForm
          {...props}
          changes={(form) => ({
            word_filter_enabled: form.has("word_filter_enabled"),
            word_filter_action: actionOf(form, "word_filter_action"),
          })}
        >
          <Checkbox
            label={labels.wordsEnabled}
            name="word_filter_enabled"
            defaultChecked={config.word_filter_enabled}
          />
          <ActionChoice name="word_filter_action" value={config.word_filter_action} />
        </ConfigForm>
        <AutomodWords serverId={config.server_id} />
      </Panel>
    </>
  );
}

function SpamForm(props: ConfigProps) {
  const { config } = props;
  const labels = texts.serverSettings.automod;
  return (
    <ConfigForm
      {...props}
      changes={(form) => ({
        spam_enabled: form.has("spam_enabled"),
        spam_max_messages: numberOrNull(form, "spam_max_messages"),
        spam_window_secs: numberOrNull(form, "spam_window_secs"),
        spam_action: actionOf(form, "spam_action"),
      })}
    >
      <Checkbox label={labels.spamEnabled} name="spam_enabled" defaultChecked={config.spam_enabled} />
      <div className={styles.columns}>
        <TextField
          label={labels.spamMessages}
          name="spam_max_messages"
          type="number"
          min={1}
          max={50}
          defaultValue={config.spam_max_messages}
        />
        <TextField
          label={labels.spamSeconds}
          name="spam_window_secs"
          type="number"
          min={1}
          max={60}
          defaultValue={config.spam_window_secs}
        />
        <ActionChoice name="spam_action" value={config.spam_action} />
      </div>
    </ConfigForm>
  );
}

/** Saves these settings of auto-moderation, and no others. */
function ConfigForm({
  config,
  onSaved,
  changes,
  children,
}: ConfigProps & { changes: (form: FormData) => AutomodUpdateBody; children: ReactNode }) {
  const { client } = useApp();
  const labels = texts.serverSettings.automod;
  const [isSaved, setSaved] = useState(false);
  const fields = useFollowedFields();
  const save = useAction(async (form: FormData) => {
    onSaved(await client.automod.update(config.server_id, changes(form)));
    setSaved(true);
  });
  return (
    <form ref={fields} onSubmit={onForm((form) => save.run(form))} onChange={() => setSaved(false)}>
      {children}
      <ErrorNote error={save.error} />
      <Button type="submit" disabled={save.isBusy}>
        {texts.common.save}
      </Button>
      <output>{isSaved ? ` ${labels.saved}` : ""}</output>
    </form>
  );
}

function ActionChoice({ name, value }: { name: string; value: Action }) {
  const labels = texts.serverSettings.automod;
  return (
    <Choice label={labels.action} name={name} defaultValue={value} data-initial={value}>
      {actions.map((action) => (
        <option key={action} value={action}>
          {labels.actions[action]}
        </option>
      ))}
    </Choice>
  );
}

const actionOf = (form: FormData, name: string): Action =>
  actions.find((action) => action === textOf(form, name)) ?? "delete";
