import { fieldOf, momentOf } from "../../state/kept/times.js";
import { InputError } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { TextField } from "../../ui/forms/field.js";

/** A field for a moment to come, by the clock of the device. */
export function TimeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label={texts.inbox.remind.at}
      type="datetime-local"
      min={fieldOf(new Date())}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      required
      autoFocus
    />
  );
}

/** The moment in a {@link TimeField}. @throws InputError when it has passed */
export function comingMoment(value: string): string {
  const moment = momentOf(value);
  if (moment === null || moment.getTime() <= Date.now()) throw new InputError(texts.inbox.remind.past);
  return moment.toISOString();
}
