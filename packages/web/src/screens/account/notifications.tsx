import type { NotificationSettings, NotificationsUpdateBody } from "@parley/client";
import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { ownTimeZone } from "../../state/people/local-time.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Checkbox, Choice, TextField } from "../../ui/forms/field.js";
import { CalendarPanel } from "./calendar.js";
import { DevicesPanel } from "./devices.js";

const levels = ["all", "mentions", "nothing"] as const;
const mails = ["off", "mentions", "daily"] as const;
const night = { from: "22:00", to: "07:00" };

/** The account's notifications where nothing else is set, and their times. */
export function NotificationsSection() {
  const settings = useAppState((state) => state.notifications);
  return settings === null ? <Skeleton shape="form" /> : <Fields settings={settings} />;
}

function Fields({ settings: { default: standard, quiet, timezone, mail, push } }: { settings: NotificationSettings }) {
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
      <Mails mail={mail} timezone={timezone} onChange={(changes) => void save.run(changes)} />
      <ErrorNote error={save.error} />
      <DevicesPanel settings={push} />
      <CalendarPanel />
    </>
  );
}

/** Mails about missed messages, which need a verified address; a user can turn them off without one. */
function Mails(props: MailSettings) {
  const { client } = useApp();
  const address = useData(useCallback((signal) => client.auth.email({ signal }), [client]));
  return (
    <AsyncContent data={address} shape="form">
      {({ email, verified }) => <MailChoice {...props} refusal={verified ? null : refusalFor(email)} />}
    </AsyncContent>
  );
}

interface MailSettings extends Pick<NotificationSettings, "mail" | "timezone"> {
  onChange: (changes: NotificationsUpdateBody) => void;
}

const refusalFor = (email: string | null) =>
  email === null ? texts.notifications.mailWithoutAddress : texts.notifications.mailUnverified;

function MailChoice({ mail, timezone, refusal, onChange }: MailSettings & { refusal: string | null }) {
  const labels = texts.notifications;
  const hints = { ...labels.mailHints, daily: labels.mailDailyIn(timezone) };
  return (
    <Choice
      label={labels.mail}
      hint={refusal ?? hints[mail]}
      value={mail}
      disabled={refusal !== null && mail === "off"}
      onChange={({ currentTarget }) => {
        const chosen = mails.find((each) => each === currentTarget.value);
        if (chosen === "daily") onChange({ mail: chosen, timezone: ownTimeZone() });
        else if (chosen !== undefined) onChange({ mail: chosen });
      }}
    >
      {mails.map((each) => (
        <option key={each} value={each} disabled={refusal !== null && each !== "off"}>
          {labels.mails[each]}
        </option>
      ))}
    </Choice>
  );
}
