import type { Member, Role } from "@parley/client";
import { useCallback, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useModeration } from "../actions/member-actions.js";
import { AccountName } from "../profile/account-name.js";
import type { ServerSectionProps } from "./section-props.js";

const pageSize = 50;

const isOther =
  (one: Member) =>
  ({ user_id }: Member): boolean =>
    user_id !== one.user_id;

/** The members, with search by name, their roles and the actions of moderators. */
export function MembersSection({ server, may }: ServerSectionProps) {
  const { members } = useApp();
  const labels = texts.serverSettings.members;
  const [search, setSearch] = useState("");
  const prefix = useDelayed(search.trim());
  const read = useCallback(
    (signal?: AbortSignal, after?: string) =>
      members.list(
        server.id,
        { limit: pageSize, ...(prefix === "" ? {} : { q: prefix }), ...(after === undefined ? {} : { after }) },
        signal === undefined ? undefined : { signal },
      ),
    [members, server.id, prefix],
  );
  const listed = useData(read);
  useGatewayEvent("MEMBER_JOIN", ({ server_id, member }) => {
    if (server_id !== server.id) return;
    if (prefix !== "") void listed.reload();
    // The newest member is the last one. Where not all are listed, a later page has them.
    else listed.set((all) => (all.length % pageSize === 0 ? all : [...all.filter(isOther(member)), member]));
  });
  // As they are now: roles, timeouts and removals have events.
  const shown = useAppState(
    useShallow(({ members: known }) =>
      (listed.value ?? []).flatMap(({ user_id }) => known[server.id]?.[user_id] ?? []),
    ),
  );
  const more = useAction(({ user_id }: Member) =>
    listed.extend(async () => {
      const page = await read(undefined, user_id);
      return (all) => [...all, ...page];
    }),
  );
  return (
    <>
      <TextField
        label={labels.search}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <AsyncContent data={listed} shape="rows">
        {(all) => (
          <ListRows
            items={shown}
            label={labels.title}
            empty={labels.none}
            {...(all.length % pageSize === 0 ? { more: { label: labels.more, action: more } } : {})}
          >
            {(member) => (
              <MemberRow
                key={member.user_id}
                serverId={server.id}
                may={may}
                member={member}
                isOwner={member.user_id === server.owner_id}
              />
            )}
          </ListRows>
        )}
      </AsyncContent>
    </>
  );
}

function MemberRow({
  serverId,
  may,
  member,
  isOwner,
}: {
  serverId: string;
  may: ServerSectionProps["may"];
  member: Member;
  isOwner: boolean;
}) {
  const labels = texts.serverSettings.members;
  const hasRoles = useAppState(({ roles }) => (roles[serverId] ?? []).length > 0);
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      picture={<Avatar name={member.username} url={member.avatar_url} size={36} />}
      title={
        <>
          <AccountName userId={member.user_id} username={member.username} />
          {member.nickname === null ? null : <bdi>({member.nickname})</bdi>}
          {isOwner ? <Tag tone="success">{labels.owner}</Tag> : null}
          {member.roles.map((role) => (
            <Tag key={role.id} color={role.color}>
              {role.name}
            </Tag>
          ))}
        </>
      }
      detail={
        member.timeout_expires_at === null
          ? labels.joined(showTime(member.joined_at))
          : labels.timedOut(showTime(member.timeout_expires_at))
      }
      actions={
        <>
          {hasRoles && may("MANAGE_ROLES") ? (
            <Button kind="quiet" onClick={() => setOpen(true)}>
              {labels.roles}
            </Button>
          ) : null}
          <RowMenu name={member.username} actions={useModeration(member.user_id, member.username, serverId)} />
          <Dialog open={isOpen} onOpenChange={setOpen} title={labels.rolesOf(member.username)}>
            <RoleBoxes serverId={serverId} member={member} />
          </Dialog>
        </>
      }
    />
  );
}

function RoleBoxes({ serverId, member }: { serverId: string; member: Member }) {
  const { members } = useApp();
  const roles = useAppState((state) => state.roles[serverId]) ?? [];
  const change = useAction((role: Role, isHeld: boolean) => members.setRole(serverId, member.user_id, role.id, isHeld));
  return (
    <>
      {roles.map((role) => (
        <Checkbox
          key={role.id}
          label={role.name}
          checked={member.roles.some(({ id }) => id === role.id)}
          onChange={(event) => change.run(role, event.currentTarget.checked)}
        />
      ))}
      <ErrorNote error={change.error} />
    </>
  );
}
