import type { NotificationSettings, NotificationsUpdateBody } from "@parley/client";
import { ownTimeZone } from "../../state/local-time.js";
import { useApp, useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Checkbox, Choice, TextField } from "../../ui/field.js";
import { Skeleton } from "../../ui/skeleton.js";
import { useAction } from "../../ui/use-action.js";

const levels = ["all", "mentions", "nothing"] as const;
const night = { from: "22:00", to: "07:00" };

/** What the account hears of where nothing else is set, and when. */
export function NotificationsSection() {
  const settings = useAppState((state) => state.notifications);
  return settings === null ? <Skeleton shape="form" /> : <Fields settings={settings} />;
}

function Fields({ settings: { default: standard, quiet, timezone } }: { settings: NotificationSettings }) {
  const labels = texts.notifications;
  const { notifications } = useApp();
  const save = useAction((changes: NotificationsUpdateBody) => notifications.change(changes));
  const setQuiet = (changed: Partial<typeof night>) => {
    const { from, to } = { ...(quiet ?? night), ...changed };
    // A browser answers an empty text while a time is being typed.
    if (from !== "" && to !== "") void save.run({ quiet: { from, to }, timezone: ownTimeZone() });
  };
  return (
    <>
      <Choice
        label={labels.defaultLevel}
        hint={labels.defaultLevelHint}
        value={standard.level}
        onChange={({ currentTarget }) => {
          const level = levels.find((each) => each === currentTarget.value);
          if (level !== undefined) void save.run({ default: { level } });
        }}
      >
        {levels.map((level) => (
          <option key={level} value={level}>
            {labels.levels[level]}
          </option>
        ))}
      </Choice>
      <Checkbox
        label={labels.quiet}
        hint={quiet === null ? labels.quietHint : labels.quietIn(timezone)}
        checked={quiet !== null}
        onChange={({ currentTarget }) => {
          if (currentTarget.checked) setQuiet({});
          else void save.run({ quiet: null });
        }}
      />
      {quiet === null ? null : (
        <>
          <TextField
            type="time"
            label={labels.quietFrom}
            value={quiet.from}
            onChange={({ currentTarget }) => setQuiet({ from: currentTarget.value })}
          />
          <TextField
            type="time"
            label={labels.quietTo}
            value={quiet.to}
            onChange={({ currentTarget }) => setQuiet({ to: currentTarget.value })}
          />
        </>
      )}
      <ErrorNote error={save.error} />
    </>
  );
}
