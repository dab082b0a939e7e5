import type { Server } from "@parley/client";
import { hasPermission, resolveServerPermissions } from "@parley/permissions";
import { useCallback } from "react";
import { Redirect } from "wouter";
import { useSession } from "../../session/session.js";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/async-content.js";
import { SettingsFrame } from "../../ui/settings-frame.js";
import { SettingsPage, type SettingsSection } from "../../ui/settings-page.js";
import { type Data, useData } from "../../ui/use-data.js";
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
import { useHolderEvents, useRoleEvents } from "./use-role-events.js";
import { WebhooksSection } from "./webhooks.js";

/** The settings of a server, with the sections that the user may use. The server checks every change. */
export function ServerSettings({ serverId }: { serverId: string }) {
  const { client } = useSession();
  const data = useData(
    useCallback(
      async (signal) => {
        const [server, me] = await Promise.all([client.servers.get(serverId, { signal }), client.users.me({ signal })]);
        const [member, roles] = await Promise.all([
          client.members.get(serverId, me.id, { signal }),
          client.roles.list(serverId, { signal }),
        ]);
        const own = new Set(member.roles.map(({ id }) => id));
        const rolePermissions = roles.filter(({ id }) => own.has(id)).map(({ permissions }) => permissions);
        return { server, rolePermissions, roleIds: own, userId: me.id };
      },
      [client, serverId],
    ),
  );
  useOwnRights(serverId, data);
  const isMember = useAppState(({ me, servers }) => me === null || servers.some(({ id }) => id === serverId));
  if (data.value === null) {
    return (
      <SettingsFrame>
        <AsyncContent data={data}>{() => null}</AsyncContent>
      </SettingsFrame>
    );
  }
  // The user was removed after the data were read.
  if (!isMember) return <Redirect to="/" replace />;
  const { server, rolePermissions, roleIds, userId } = data.value;
  const isOwner = server.owner_id === userId;
  const held = resolveServerPermissions({ isOwner, rolePermissions });
  return (
    <Sections
      server={server}
      isOwner={isOwner}
      roleIds={roleIds}
      may={(permission) => hasPermission(held, permission)}
      onChange={(changed) => data.set((before) => ({ ...before, server: changed }))}
    />
  );
}

function Sections({
  server,
  isOwner,
  may,
  roleIds,
  onChange,
}: ServerSectionProps & { roleIds: ReadonlySet<string>; onChange: (server: Server) => void }) {
  const labels = texts.serverSettings;
  const props = { server, isOwner, may };
  const managesSomeChannel = useManagesSomeChannel(roleIds);
  const shown = (isShown: boolean, section: SettingsSection) => (isShown ? [section] : []);
  return (
    <SettingsPage
      title={labels.title(server.name)}
      basePath={`/servers/${server.id}/settings`}
      backTo={`/servers/${server.id}`}
      sections={[
        {
          path: "overview",
          title: labels.overview.title,
          hint: labels.overview.explanation,
          content: <OverviewSection {...props} onChange={onChange} />,
        },
        ...shown(may("MANAGE_CHANNELS") || managesSomeChannel, {
          path: "channels",
          title: labels.channels.title,
          hint: labels.channels.explanation,
          content: <ChannelsSection {...props} />,
        }),
        ...shown(may("MANAGE_ROLES"), {
          path: "roles",
          title: labels.roles.title,
          hint: labels.roles.explanation,
          content: <RolesSection {...props} roleIds={roleIds} />,
        }),
        {
          path: "members",
          title: labels.members.title,
          hint: labels.members.explanation,
          content: <MembersSection {...props} />,
        },
        ...shown(may("CREATE_INVITES"), {
          path: "invites",
          title: labels.invites.title,
          hint: labels.invites.explanation,
          content: <InvitesSection {...props} />,
        }),
        ...shown(may("BAN_MEMBERS"), {
          path: "bans",
          title: labels.bans.title,
          hint: labels.bans.explanation,
          content: <BansSection {...props} />,
        }),
        ...shown(may("ADMINISTRATOR"), {
          path: "emoji",
          title: labels.emoji.title,
          hint: labels.emoji.explanation,
          content: <EmojiSection {...props} />,
        }),
        ...shown(may("ADMINISTRATOR"), {
          path: "webhooks",
          title: labels.webhooks.title,
          hint: labels.webhooks.explanation,
          content: <WebhooksSection {...props} />,
        }),
        ...shown(isOwner, {
          path: "automod",
          title: labels.automod.title,
          hint: labels.automod.explanation,
          content: <AutomodSection {...props} />,
        }),
        ...shown(isOwner, {
          path: "audit-log",
          title: texts.auditLog.title,
          hint: texts.auditLog.explanation,
          content: <AuditLogSection {...props} />,
        }),
      ]}
    />
  );
}

/** Reads the user's rights again when their roles change. */
function useOwnRights(serverId: string, { value, reload }: Pick<Data<{ userId: string }>, "value" | "reload">): void {
  const userId = value?.userId;
  const readIfOwn = useCallback(
    (event: { user_id: string }) => {
      if (userId === undefined || event.user_id === userId) void reload();
    },
    [userId, reload],
  );
  useRoleEvents(serverId, reload);
  useHolderEvents(serverId, readIfOwn, readIfOwn);
}

/** Whether an override may give the user MANAGE_CHANNELS in a channel; true while the user is not loaded. */
function useManagesSomeChannel(roleIds: ReadonlySet<string>): boolean {
  return useAppState(({ me, overrides }) => {
    if (me === null) return true;
    return Object.values(overrides)
      .flat()
      .some(
        ({ user_id, role_id, allow }) =>
          (user_id === me.id || (role_id !== null && roleIds.has(role_id))) && hasPermission(allow, "MANAGE_CHANNELS"),
      );
  });
}
