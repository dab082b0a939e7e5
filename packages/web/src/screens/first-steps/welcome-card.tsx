import type { Onboarding, OnboardingQuestion } from "@parley/client";
import { useState } from "react";
import { Link } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import { Markdown } from "../conversation/markdown/markdown.js";
import styles from "./first-steps.module.css";
import { StepsCard } from "./steps-card.js";

/** What the server shows and asks a newcomer (docs/protocol/communities.md#34.5); goes with the answers, or when it is dismissed. */
export function WelcomeCard({
  serverId,
  name,
  onboarding,
}: {
  serverId: string;
  name: string;
  onboarding: Onboarding;
}) {
  const labels = texts.shell.welcomeCard;
  const { client, store } = useApp();
  const channels = useAppState((state) => state.channels);
  const end = useFirstSteps((steps) => steps.end);
  const { welcome, questions } = onboarding;
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly string[]>>>(() =>
    Object.fromEntries(questions.map((question) => [question.id, answersOf(store.getState(), serverId, question)])),
  );
  const isReady = questions.every(({ id, required }) => !required || (chosen[id] ?? []).length > 0);
  const answer = useAction(async () => {
    if (questions.length > 0) {
      const answers = Object.fromEntries(questions.map(({ id }) => [id, [...(chosen[id] ?? [])]]));
      await client.onboarding.answer(serverId, { answers });
    }
    end(serverId);
  });
  return (
    <StepsCard serverId={serverId} title={texts.shell.firstSteps.memberTitle(name)} text={labels.explanation}>
      <form onSubmit={onForm(() => answer.run())}>
        {welcome === null ? null : <Markdown text={welcome} />}
        <ul className={styles.places}>
          {onboarding.channels.map(({ channel_id, description }) => (
            <li key={channel_id}>
              <Link href={`/servers/${serverId}/channels/${channel_id}`}>
                <bdi>#{channels[channel_id]?.name ?? ""}</bdi>
              </Link>{" "}
              <bdi>{description}</bdi>
            </li>
          ))}
        </ul>
        {questions.map((question) => (
          <Question
            key={question.id}
            question={question}
            chosen={chosen[question.id] ?? []}
            onChange={(ids) => setChosen((before) => ({ ...before, [question.id]: ids }))}
          />
        ))}
        {questions.length === 0 ? null : <p>{labels.later}</p>}
        <ErrorNote error={answer.error} />
        <Button type="submit" disabled={answer.isBusy || !isReady}>
          {questions.length === 0 ? labels.done : labels.answer}
        </Button>
      </form>
    </StepsCard>
  );
}

/**
 * What the member seems to have answered: options all of whose roles they hold, and all of whose channels they may view.
 * The server keeps what answers gave, and no answers.
 */
function answersOf(state: AppState, serverId: string, { single, options }: OnboardingQuestion): string[] {
  const held = new Set((state.members[serverId]?.[state.me?.id ?? ""]?.roles ?? []).map(({ id }) => id));
  const given = options.filter(
    ({ role_ids, channel_ids }) =>
      role_ids.length + channel_ids.length > 0 &&
      role_ids.every((id) => held.has(id)) &&
      channel_ids.every((id) => state.channels[id] !== undefined),
  );
  return (single ? given.slice(0, 1) : given).map(({ id }) => id);
}

function Question({
  question: { id, title, single, required, options },
  chosen,
  onChange,
}: {
  question: OnboardingQuestion;
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const labels = texts.shell.welcomeCard;
  return (
    <fieldset className={styles.question}>
      <legend>
        <bdi>{title}</bdi> {required ? <small>{labels.required}</small> : null}
      </legend>
      {options.map((option) => (
        <label key={option.id} className={styles.option}>
          <input
            type={single ? "radio" : "checkbox"}
            name={id}
            checked={chosen.includes(option.id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(
                single ? [option.id] : checked ? [...chosen, option.id] : chosen.filter((one) => one !== option.id),
              )
            }
          />
          <bdi>{option.emoji === null ? option.title : `${option.emoji} ${option.title}`}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
