import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { SettingsFrame } from "../../ui/forms/settings-frame.js";
import { inGroup, SettingsPage } from "../../ui/forms/settings-page.js";
import { useWaitingRegistrations, WaitingBadge } from "../actions/waiting-badge.js";
import { NotFound } from "../shell/not-found.js";
import { ImportsSection } from "./imports.js";
import { InstallationSection } from "./installation.js";
import { LogSection } from "./log.js";
import { RegistrationSection } from "./registration.js";
import { InstanceReportsSection } from "./reports.js";
import { SecuritySection } from "./security.js";
import { ServersSection } from "./servers.js";
import { SetUpSection } from "./set-up.js";
import { StatisticsSection } from "./statistics.js";
import { StorageSection } from "./storage.js";
import { UsersSection } from "./users.js";
import { WaitingSection } from "./waiting.js";

/** The administration of the instance, for its administrators. */
export function Administration() {
  const isAdmin = useAppState(({ me }) => me?.is_admin);
  if (isAdmin === undefined) return <SettingsFrame />;
  return isAdmin ? <Sections /> : <NotFound text={texts.administration.administratorsOnly} />;
}

function Sections() {
  const labels = texts.administration;
  const { groups } = labels;
  const waiting = useWaitingRegistrations();
  return (
    <SettingsPage
      title={labels.title}
      basePath="/admin"
      backTo="/"
      sections={[
        ...inGroup(groups.community, [
          {
            path: "statistics",
            title: labels.statistics.title,
            hint: labels.statistics.explanation,
            content: <StatisticsSection />,
          },
          { path: "users", title: labels.users.title, hint: labels.users.explanation, content: <UsersSection /> },
          {
            path: "waiting",
            title: labels.waiting.title,
            hint: labels.waiting.explanation,
            badge: <WaitingBadge count={waiting} />,
            content: <WaitingSection />,
          },
          {
            path: "servers",
            title: labels.servers.title,
            hint: labels.servers.explanation,
            content: <ServersSection />,
          },
          {
            path: "reports",
            title: texts.moderation.reports,
            hint: texts.moderation.explanation,
            content: <InstanceReportsSection />,
          },
        ]),
        ...inGroup(groups.installation, [
          { path: "set-up", title: labels.setUp.title, hint: labels.setUp.explanation, content: <SetUpSection /> },
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
            path: "security",
            title: labels.security.title,
            hint: labels.security.explanation,
            content: <SecuritySection />,
          },
          {
            path: "storage",
            title: labels.storage.title,
            hint: labels.storage.explanation,
            content: <StorageSection />,
          },
          {
            path: "imports",
            title: texts.imports.title,
            hint: texts.imports.explanation,
            content: <ImportsSection />,
          },
          { path: "log", title: labels.log, hint: labels.logExplanation, content: <LogSection /> },
        ]),
      ]}
    />
  );
}
