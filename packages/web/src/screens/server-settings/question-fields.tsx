import { onboardingLimits } from "@parley/contracts";
import { texts } from "../../texts/texts.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { OptionFields } from "./option-fields.js";
import styles from "./server-settings.module.css";
import { newOption, type QuestionDraft, without } from "./welcome-draft.js";

/** One question with its options. */
export function QuestionFields({
  serverId,
  number,
  question,
  onChange,
  onRemove,
}: {
  serverId: string;
  number: number;
  question: QuestionDraft;
  onChange: (question: QuestionDraft) => void;
  onRemove: () => void;
}) {
  const labels = texts.serverSettings.welcome;
  const change = (part: Partial<QuestionDraft>) => onChange({ ...question, ...part });
  const { options } = question;
  return (
    <fieldset className={styles.question}>
      <legend>{labels.question(number)}</legend>
      <TextField
        label={labels.questionTitle}
        required
        maxLength={onboardingLimits.questionTitle}
        value={question.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Checkbox
        label={labels.single}
        checked={question.single}
        onChange={(event) => change({ single: event.currentTarget.checked })}
      />
      <Checkbox
        label={labels.required}
        checked={question.required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
      {options.map((option, at) => (
        <OptionFields
          key={option.key}
          serverId={serverId}
          number={at + 1}
          option={option}
          onChange={(changed) => change({ options: options.map((one) => (one.key === option.key ? changed : one)) })}
          onRemove={options.length === 1 ? null : () => change({ options: without(options, option.key) })}
        />
      ))}
      {options.length < onboardingLimits.options ? (
        <Button kind="quiet" onClick={() => change({ options: [...options, newOption()] })}>
          {labels.addOption}
        </Button>
      ) : null}
      <Button kind="quiet" onClick={onRemove}>
        {labels.removeQuestion(number)}
      </Button>
    </fieldset>
  );
}
