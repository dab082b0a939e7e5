import { texts } from "../../texts/texts.js";
import { SettingsPage } from "../../ui/settings-page.js";
import { LogSection } from "./log.js";
import { RegistrationSection } from "./registration.js";
import { ServersSection } from "./servers.js";
import { StatisticsSection } from "./statistics.js";
import { UsersSection } from "./users.js";

/** The administration of the instance. The server refuses each of its sections to users without this right. */
export function Administration() {
  const names = texts.administration;
  return (
    <SettingsPage
      title={names.title}
      basePath="/admin"
      backTo="/"
      sections={[
        {
          path: "statistics",
          title: names.statistics.title,
          hint: names.statistics.explanation,
          content: <StatisticsSection />,
        },
        { path: "users", title: names.users.title, hint: names.users.explanation, content: <UsersSection /> },
        { path: "servers", title: names.servers.title, hint: names.servers.explanation, content: <ServersSection /> },
        {
          path: "registration",
          title: names.registration.title,
          hint: names.registration.explanation,
          content: <RegistrationSection />,
        },
        { path: "log", title: names.log, hint: names.logExplanation, content: <LogSection /> },
      ]}
    />
  );
}
