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
        { path: "statistics", title: names.statistics.title, content: <StatisticsSection /> },
        { path: "users", title: names.users.title, content: <UsersSection /> },
        { path: "servers", title: names.servers.title, content: <ServersSection /> },
        { path: "registration", title: names.registration.title, content: <RegistrationSection /> },
        { path: "log", title: names.log, content: <LogSection /> },
      ]}
    />
  );
}
