import { texts } from "../../texts/texts.js";
import { Choice } from "../../ui/forms/field.js";
import { showDuration } from "../../ui/look/show.js";

const slowModeSeconds = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600];

/** Options of a choice of durations in seconds, each in the reader's own words. */
export function DurationOptions({ seconds }: { seconds: readonly number[] }) {
  return seconds.map((value) => (
    <option key={value} value={value}>
      {showDuration(value)}
    </option>
  ));
}

/** The choice of a channel's slow mode; a value that a program has set is offered as well. */
export function SlowModeChoice({ seconds }: { seconds: number }) {
  const labels = texts.serverSettings.channels;
  const offered = [...new Set([...slowModeSeconds, ...(seconds > 0 ? [seconds] : [])])].toSorted((a, b) => a - b);
  return (
    <Choice label={labels.slowMode} hint={labels.slowModeHint} name="slow_mode_seconds" defaultValue={seconds}>
      <option value={0}>{labels.slowModeOff}</option>
      <DurationOptions seconds={offered} />
    </Choice>
  );
}
