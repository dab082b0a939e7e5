import type { Server } from "@parley/client";
import { useCallback } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/async-content.js";
import { SettingsFrame } from "../../ui/settings-frame.js";
import { SettingsPage } from "../../ui/settings-page.js";
import { useData } from "../../ui/use-data.js";
import { AuditLogSection } from "./audit-log.js";
import { AutomodSection } from "./automod.js";
import { BansSection } from "./bans.js";
import { ChannelsSection } from "./channels.js";
import { EmojiSection } from "./emoji.js";
import { InvitesSection } from "./invites.js";
import { MembersSection } from "./members.js";
import { OverviewSection } from "./overview.js";
import { RolesSection } from "./roles.js";
import type { ServerSectionProps } from "./section-props.js";
import { WebhooksSection } from "./webhooks.js";

/** The settings of a server. What somebody may not do, the server refuses with its reason. */
export function ServerSettings({ serverId }: { serverId: string }) {
  const { client } = useSession();
  const data = useData(
    useCallback(
      async (signal) => {
        const [server, me] = await Promise.all([client.servers.get(serverId, { signal }), client.users.me({ signal })]);
        return { server, isOwner: server.owner_id === me.id };
      },
      [client, serverId],
    ),
  );
  if (data.value === null) {
    return (
      <SettingsFrame>
        <AsyncContent data={data}>{() => null}</AsyncContent>
      </SettingsFrame>
    );
  }
  const { server, isOwner } = data.value;
  return (
    <Sections
      server={server}
      isOwner={isOwner}
      onChange={(changed) => data.set((before) => ({ ...before, server: changed }))}
    />
  );
}

function Sections({ server, isOwner, onChange }: ServerSectionProps & { onChange: (server: Server) => void }) {
  const names = texts.serverSettings;
  const props = { server, isOwner };
  const ownerOnly = isOwner
    ? [
        { path: "automod", title: names.automod.title, content: <AutomodSection {...props} /> },
        { path: "audit-log", title: texts.auditLog.title, content: <AuditLogSection {...props} /> },
      ]
    : [];
  return (
    <SettingsPage
      title={names.title(server.name)}
      basePath={`/servers/${server.id}/settings`}
      backTo={`/servers/${server.id}`}
      sections={[
        {
          path: "overview",
          title: names.overview.title,
          content: <OverviewSection {...props} onChange={onChange} />,
        },
        { path: "channels", title: names.channels.title, content: <ChannelsSection {...props} /> },
        { path: "roles", title: names.roles.title, content: <RolesSection {...props} /> },
        { path: "members", title: names.members.title, content: <MembersSection {...props} /> },
        { path: "invites", title: names.invites.title, content: <InvitesSection {...props} /> },
        { path: "bans", title: names.bans.title, content: <BansSection {...props} /> },
        { path: "emoji", title: names.emoji.title, content: <EmojiSection {...props} /> },
        { path: "webhooks", title: names.webhooks.title, content: <WebhooksSection {...props} /> },
        ...ownerOnly,
      ]}
    />
  );
}
