import type { RawServer } from "@parley/client";
import type { PermissionName } from "@parley/contracts";
import { hasPermission } from "@parley/permissions";
import { useCallback } from "react";
import { Redirect } from "wouter";
import { holdsRight, mayInChannel, serverPermissions } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { SettingsFrame } from "../../ui/forms/settings-frame.js";
import { inGroup, SettingsPage, type SettingsSection } from "../../ui/forms/settings-page.js";
import { ReportsBadge, useReadReports } from "../actions/reports-badge.js";
import { ModerationSection } from "../moderation/moderation-section.js";
import { AuditLogSection } from "./audit-log.js";
import { AutomodSection } from "./automod.js";
import { AutomodLog } from "./automod-log.js";
import { BansSection } from "./bans.js";
import { ChannelsSection } from "./channels.js";
import { EmojiSection } from "./emoji.js";
import { FiguresSection } from "./figures.js";
import { FilesSection } from "./files.js";
import { IncomingWebhooksSection } from "./incoming-webhooks.js";
import { InvitesSection } from "./invites.js";
import { MembersSection } from "./members.js";
import { OverviewSection } from "./overview.js";
import { RolesSection } from "./roles.js";
import { SafetySection } from "./safety.js";
import { WebhooksSection } from "./webhooks.js";
import { WelcomeSection } from "./welcome.js";

/** The settings of a server, with the sections that the user may use. The server checks every change. */
export function ServerSettings({ serverId }: { serverId: string }) {
  const { servers } = useApp();
  const readyCount = useAppState((state) => state.readyCount);
  const server = useAppState((state) => state.servers.find(({ id }) => id === serverId));
  const isMember = server !== undefined;
  const isRead = useAppState(
    ({ me, members, channelIds, emojis }) =>
      me !== null && [members[serverId]?.[me.id], channelIds[serverId], emojis[serverId]].every((part) => part),
  );
  const reading = useData(
    useCallback(async () => {
      // Nothing is known before the first READY, and events were missed before each other one.
      if (readyCount === 0 || !isMember) return null;
      await servers.open(serverId);
      return true;
    }, [servers, serverId, readyCount, isMember]),
  );
  if (readyCount > 0 && !isMember) return <Redirect to="/" replace />;
  if (!isMember || !isRead) {
    return (
      <SettingsFrame>
        <AsyncContent data={reading}>{() => null}</AsyncContent>
      </SettingsFrame>
    );
  }
  return <Sections server={server} />;
}

function Sections({ server }: { server: RawServer }) {
  const isOwner = useAppState(({ me }) => me?.id === server.owner_id);
  const held = useAppState((state) => serverPermissions(state, server.id));
  const managesSomeChannel = useAppState((state) =>
    (state.channelIds[server.id] ?? []).some((id) => mayInChannel(state, id, "MANAGE_CHANNELS")),
  );
  const reviews = useAppState((state) => holdsRight(state, server.id, "review_reports"));
  const openReports = useReadReports(server.id);
  const managesAutomod = useAppState((state) => holdsRight(state, server.id, "manage_automod"));
  const viewsLog = useAppState((state) => holdsRight(state, server.id, "view_audit_log"));
  const managesRaids = useAppState((state) => holdsRight(state, server.id, "manage_raids"));
  const may = (permission: PermissionName) => hasPermission(held, permission);
  const labels = texts.serverSettings;
  const { groups } = labels;
  const props = { server, isOwner, may };
  const shown = (isShown: boolean, section: SettingsSection) => (isShown ? [section] : []);
  return (
    <SettingsPage
      title={labels.title(server.name)}
      basePath={`/servers/${server.id}/settings`}
      backTo={`/servers/${server.id}`}
      sections={[
        ...inGroup(groups.server, [
          {
            path: "overview",
            title: labels.overview.title,
            hint: labels.overview.explanation,
            content: <OverviewSection {...props} />,
          },
          ...shown(may("MANAGE_CHANNELS") || managesSomeChannel, {
            path: "channels",
            title: labels.channels.title,
            hint: labels.channels.explanation,
            content: <ChannelsSection {...props} />,
          }),
          ...shown(may("ADMINISTRATOR"), {
            path: "emoji",
            title: labels.emoji.title,
            hint: labels.emoji.explanation,
            content: <EmojiSection {...props} />,
          }),
          {
            path: "files",
            title: labels.files.title,
            hint: labels.files.explanation,
            content: <FilesSection {...props} />,
          },
          ...shown(may("MANAGE_SERVER"), {
            path: "figures",
            title: texts.figures.title,
            hint: texts.figures.explanation,
            content: <FiguresSection {...props} />,
          }),
        ]),
        ...inGroup(groups.people, [
          {
            path: "members",
            title: labels.members.title,
            hint: labels.members.explanation,
            content: <MembersSection {...props} />,
          },
          ...shown(may("MANAGE_ROLES"), {
            path: "roles",
            title: labels.roles.title,
            hint: labels.roles.explanation,
            content: <RolesSection {...props} />,
          }),
          ...shown(may("CREATE_INVITES"), {
            path: "invites",
            title: labels.invites.title,
            hint: labels.invites.explanation,
            content: <InvitesSection {...props} />,
          }),
          ...shown(may("MANAGE_SERVER"), {
            path: "welcome",
            title: labels.welcome.title,
            hint: labels.welcome.explanation,
            content: <WelcomeSection {...props} />,
          }),
          ...shown(may("BAN_MEMBERS"), {
            path: "bans",
            title: labels.bans.title,
            hint: labels.bans.explanation,
            content: <BansSection {...props} />,
          }),
        ]),
        ...inGroup(groups.moderation, [
          ...shown(reviews || managesAutomod, {
            path: "moderation",
            title: texts.moderation.title,
            hint: texts.moderation.explanation,
            badge: <ReportsBadge count={openReports} />,
            content: (
              <ModerationSection
                serverId={server.id}
                reviews={reviews}
                log={managesAutomod ? <AutomodLog serverId={server.id} /> : null}
              />
            ),
          }),
          ...shown(managesAutomod, {
            path: "automod",
            title: labels.automod.title,
            hint: labels.automod.explanation,
            content: <AutomodSection {...props} />,
          }),
          ...shown(managesRaids, {
            path: "safety",
            title: labels.safety.title,
            hint: labels.safety.explanation,
            content: <SafetySection {...props} />,
          }),
          ...shown(viewsLog, {
            path: "audit-log",
            title: texts.auditLog.title,
            hint: texts.auditLog.explanation,
            content: <AuditLogSection {...props} />,
          }),
        ]),
        ...inGroup(groups.programs, [
          ...shown(may("ADMINISTRATOR"), {
            path: "incoming-webhooks",
            title: labels.incomingWebhooks.title,
            hint: labels.incomingWebhooks.explanation,
            content: <IncomingWebhooksSection {...props} />,
          }),
          ...shown(may("ADMINISTRATOR"), {
            path: "webhooks",
            title: labels.webhooks.title,
            hint: labels.webhooks.explanation,
            content: <WebhooksSection {...props} />,
          }),
        ]),
      ]}
    />
  );
}
