import { texts } from "../../texts/texts.js";
import { inGroup, SettingsPage } from "../../ui/forms/settings-page.js";
import { VoiceSection } from "../voice/voice-section.js";
import { AppearanceSection } from "./appearance.js";
import { BotsSection } from "./bots.js";
import { DataSection } from "./data.js";
import { EmailSection } from "./email.js";
import { NotificationsSection } from "./notifications.js";
import { PasskeysSection } from "./passkeys.js";
import { PasswordSection } from "./password.js";
import { PrivacySection } from "./privacy.js";
import { ProfileSection } from "./profile.js";
import { SecondFactorSection } from "./second-factor.js";
import { SessionsSection } from "./sessions.js";
import { StorageSection } from "./storage.js";

/** The settings of the own account. */
export function Account() {
  const labels = texts.account;
  const { groups } = labels;
  return (
    <SettingsPage
      title={labels.title}
      basePath="/account"
      backTo="/"
      sections={[
        ...inGroup(groups.you, [
          {
            path: "profile",
            title: labels.profile.title,
            hint: labels.profile.explanation,
            content: <ProfileSection />,
          },
          {
            path: "privacy",
            title: texts.people.privacy.title,
            hint: texts.people.privacy.explanation,
            content: <PrivacySection />,
          },
          {
            path: "notifications",
            title: texts.notifications.title,
            hint: texts.notifications.explanation,
            content: <NotificationsSection />,
          },
          {
            path: "appearance",
            title: labels.appearance.title,
            hint: labels.appearance.explanation,
            content: <AppearanceSection />,
          },
          { path: "voice", title: texts.voice.settings.title, content: <VoiceSection /> },
        ]),
        ...inGroup(groups.access, [
          { path: "email", title: labels.email.title, content: <EmailSection /> },
          { path: "password", title: labels.password.title, content: <PasswordSection /> },
          { path: "passkeys", title: labels.passkeys.title, content: <PasskeysSection /> },
          { path: "second-factor", title: labels.secondFactor.title, content: <SecondFactorSection /> },
          { path: "sessions", title: labels.sessions.title, content: <SessionsSection /> },
        ]),
        ...inGroup(groups.rest, [
          { path: "bots", title: labels.bots.title, content: <BotsSection /> },
          {
            path: "storage",
            title: labels.storage.title,
            hint: labels.storage.explanation,
            content: <StorageSection />,
          },
          { path: "data", title: labels.data.title, hint: labels.data.explanation, content: <DataSection /> },
        ]),
      ]}
    />
  );
}
