import type { Onboarding } from "@parley/client";
import { onboardingLimits } from "@parley/contracts";
import { useCallback, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, Choice, TextArea, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { QuestionFields } from "./question-fields.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { bodyOf, type Draft, draftOf, newQuestion, without } from "./welcome-draft.js";

/** What the server shows and asks people who join (docs/protocol/communities.md#34.5). */
export function WelcomeSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const onboarding = useData(
    useCallback((signal) => client.onboarding.get(server.id, { signal }), [client, server.id]),
  );
  return (
    <AsyncContent data={onboarding}>
      {(saved) => (
        <WelcomeForm
          saved={saved}
          serverId={server.id}
          onSave={async (draft) => {
            const changed = await client.onboarding.put(server.id, bodyOf(draft));
            onboarding.set(() => changed);
            return changed;
          }}
        />
      )}
    </AsyncContent>
  );
}

function WelcomeForm({
  saved,
  serverId,
  onSave,
}: {
  saved: Onboarding;
  serverId: string;
  onSave: (draft: Draft) => Promise<Onboarding>;
}) {
  const labels = texts.serverSettings.welcome;
  const [draft, setDraft] = useState(() => draftOf(saved));
  const [isSaved, setSaved] = useState(false);
  const change = (part: Partial<Draft>) => {
    setSaved(false);
    setDraft((before) => ({ ...before, ...part }));
  };
  const save = useAction(async () => {
    setDraft(draftOf(await onSave(draft)));
    setSaved(true);
  });
  return (
    <form onSubmit={onForm(() => save.run())}>
      <Panel title={labels.greeting}>
        <Checkbox
          label={labels.enabled}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <TextArea
          label={labels.text}
          hint={labels.textHint}
          rows={5}
          maxLength={onboardingLimits.welcome}
          value={draft.welcome}
          onChange={(event) => change({ welcome: event.currentTarget.value })}
        />
      </Panel>
      <ChannelsPanel serverId={serverId} draft={draft} change={change} />
      <Panel title={labels.questions} hint={labels.questionsHint}>
        {draft.questions.map((question, at) => (
          <QuestionFields
            key={question.key}
            serverId={serverId}
            number={at + 1}
            question={question}
            onChange={(changed) =>
              change({ questions: draft.questions.map((one) => (one.key === question.key ? changed : one)) })
            }
            onRemove={() => change({ questions: without(draft.questions, question.key) })}
          />
        ))}
        {draft.questions.length < onboardingLimits.questions ? (
          <Button kind="quiet" onClick={() => change({ questions: [...draft.questions, newQuestion()] })}>
            {labels.addQuestion}
          </Button>
        ) : null}
      </Panel>
      <ErrorNote error={save.error} />
      <Button type="submit" disabled={save.isBusy}>
        {texts.common.save}
      </Button>
      <output>{isSaved ? ` ${texts.serverSettings.overview.saved}` : ""}</output>
    </form>
  );
}

/** The channels that newcomers are led to, each with a line about it. */
function ChannelsPanel({
  serverId,
  draft: { channels },
  change,
}: {
  serverId: string;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}) {
  const labels = texts.serverSettings.welcome;
  const ids = useAppState((state) => state.channelIds[serverId]) ?? [];
  const known = useAppState((state) => state.channels);
  const nameOf = (id: string) => `#${known[id]?.name ?? ""}`;
  const others = ids.filter((id) => channels.every(({ channel_id }) => channel_id !== id));
  return (
    <Panel title={labels.channels} hint={labels.channelsHint}>
      {channels.map((one) => (
        <div key={one.channel_id} className={styles.line}>
          <TextField
            label={labels.aboutChannel(nameOf(one.channel_id))}
            maxLength={onboardingLimits.channelDescription}
            value={one.description}
            onChange={({ currentTarget: { value } }) =>
              change({
                channels: channels.map((each) => (each === one ? { ...each, description: value } : each)),
              })
            }
          />
          <Button
            kind="quiet"
            aria-label={labels.removeChannel(nameOf(one.channel_id))}
            onClick={() => change({ channels: channels.filter((each) => each !== one) })}
          >
            {labels.remove}
          </Button>
        </div>
      ))}
      {channels.length < onboardingLimits.channels && others.length > 0 ? (
        <Choice
          label={labels.addChannel}
          value=""
          onChange={({ currentTarget: { value } }) =>
            change({ channels: [...channels, { channel_id: value, description: "" }] })
          }
        >
          <option value="">{labels.choose}</option>
          {others.map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </Choice>
      ) : null}
    </Panel>
  );
}
