import { texts } from "../../texts/texts.js";
import { SettingsPage } from "../../ui/settings-page.js";
import { VoiceSection } from "../voice/voice-section.js";
import { AppearanceSection } from "./appearance.js";
import { BotsSection } from "./bots.js";
import { DataSection } from "./data.js";
import { PasswordSection } from "./password.js";
import { ProfileSection } from "./profile.js";
import { SecondFactorSection } from "./second-factor.js";
import { SessionsSection } from "./sessions.js";

/** The settings of the own account. */
export function Account() {
  const names = texts.account;
  return (
    <SettingsPage
      title={names.title}
      basePath="/account"
      backTo="/"
      sections={[
        { path: "profile", title: names.profile.title, hint: names.profile.explanation, content: <ProfileSection /> },
        {
          path: "appearance",
          title: names.appearance.title,
          hint: names.appearance.explanation,
          content: <AppearanceSection />,
        },
        { path: "voice", title: texts.voice.settings.title, content: <VoiceSection /> },
        { path: "password", title: names.password.title, content: <PasswordSection /> },
        { path: "second-factor", title: names.secondFactor.title, content: <SecondFactorSection /> },
        { path: "sessions", title: names.sessions.title, content: <SessionsSection /> },
        { path: "bots", title: names.bots.title, content: <BotsSection /> },
        { path: "data", title: names.data.title, hint: names.data.explanation, content: <DataSection /> },
      ]}
    />
  );
}
