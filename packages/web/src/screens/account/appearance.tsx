import { useState } from "react";
import { themeOf } from "../../device/schemas.js";
import { texts } from "../../texts/texts.js";
import { Checkbox, Choice } from "../../ui/forms/field.js";
import { useTheme } from "../../ui/look/use-theme.js";
import { areNotificationsOn, setNotifications } from "../shell/notifications.js";
import { LanguageField } from "./language.js";

/** Settings that are stored on this device: colours, language and notifications. */
export function AppearanceSection() {
  const labels = texts.account.appearance;
  const [theme, setTheme] = useTheme();
  const [isOn, setOn] = useState(areNotificationsOn);
  const [isBlocked, setBlocked] = useState(false);
  return (
    <>
      <Choice label={labels.theme} value={theme} onChange={(event) => setTheme(themeOf(event.currentTarget.value))}>
        <option value="system">{labels.system}</option>
        <option value="dark">{labels.dark}</option>
        <option value="light">{labels.light}</option>
      </Choice>
      <LanguageField />
      <Checkbox
        label={labels.notifications}
        hint={labels.notificationsHint}
        error={isBlocked ? labels.notificationsBlocked : null}
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
