import { texts } from "../../texts/texts.js";
import { SettingsPage } from "../../ui/forms/settings-page.js";
import { ImportsSection } from "./imports.js";
import { InstallationSection } from "./installation.js";
import { LogSection } from "./log.js";
import { RegistrationSection } from "./registration.js";
import { InstanceReportsSection } from "./reports.js";
import { ServersSection } from "./servers.js";
import { StatisticsSection } from "./statistics.js";
import { UsersSection } from "./users.js";

/** The administration of the instance. The server refuses each of its sections to users without this right. */
export function Administration() {
  const labels = texts.administration;
  return (
    <SettingsPage
      title={labels.title}
      basePath="/admin"
      backTo="/"
      sections={[
        {
          path: "statistics",
          title: labels.statistics.title,
          hint: labels.statistics.explanation,
          content: <StatisticsSection />,
        },
        { path: "users", title: labels.users.title, hint: labels.users.explanation, content: <UsersSection /> },
        { path: "servers", title: labels.servers.title, hint: labels.servers.explanation, content: <ServersSection /> },
        {
          path: "reports",
          title: texts.moderation.reports,
          hint: texts.moderation.explanation,
          content: <InstanceReportsSection />,
        },
        {
          path: "installation",
          title: labels.installation.title,
          hint: labels.installation.explanation,
          content: <InstallationSection />,
        },
        {
          path: "registration",
          title: labels.registration.title,
          hint: labels.registration.explanation,
          content: <RegistrationSection />,
        },
        {
          path: "imports",
          title: texts.imports.title,
          hint: texts.imports.explanation,
          content: <ImportsSection />,
        },
        { path: "log", title: labels.log, hint: labels.logExplanation, content: <LogSection /> },
      ]}
    />
  );
}
