import { useState } from "react";
import { areNotificationsOn, setNotifications } from "../../session/notifications.js";
import { texts } from "../../texts/texts.js";
import { Checkbox, Choice } from "../../ui/field.js";
import { themeOf, useTheme } from "../../ui/use-theme.js";
import { LanguageField } from "./language.js";

/** Settings that are stored on this device: colours, language and notifications. */
export function AppearanceSection() {
  const names = texts.account.appearance;
  const [theme, setTheme] = useTheme();
  const [isOn, setOn] = useState(areNotificationsOn);
  const [isBlocked, setBlocked] = useState(false);
  return (
    <>
      <Choice label={names.theme} value={theme} onChange={(event) => setTheme(themeOf(event.currentTarget.value))}>
        <option value="system">{names.system}</option>
        <option value="dark">{names.dark}</option>
        <option value="light">{names.light}</option>
      </Choice>
      <LanguageField />
      <Checkbox
        label={names.notifications}
        hint={names.notificationsHint}
        error={isBlocked ? names.notificationsBlocked : null}
        checked={isOn}
        onChange={async (event) => {
          const wanted = event.currentTarget.checked;
          const outcome = await setNotifications(wanted);
          setOn(outcome);
          setBlocked(wanted && !outcome);
        }}
      />
    </>
  );
}
