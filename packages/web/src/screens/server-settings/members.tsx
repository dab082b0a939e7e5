import type { Member, Role } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { without } from "../../state/app-state.js";
import { createTurns } from "../../state/turns.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Checkbox, TextField } from "../../ui/field.js";
import { Row, Rows, Tag } from "../../ui/rows.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { type Data, useData } from "../../ui/use-data.js";
import { useDelayed } from "../../ui/use-delayed.js";
import { ModerationMenu } from "./moderation-menu.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { useHolderEvents, useRoleEvents } from "./use-role-events.js";

const pageSize = 50;

/** The members, with search by name, their roles and the actions of moderators. */
export function MembersSection({ server, may }: ServerSectionProps) {
  const { client } = useSession();
  const labels = texts.serverSettings.members;
  const [search, setSearch] = useState("");
  const prefix = useDelayed(search.trim());
  const read = useCallback(
    (signal?: AbortSignal, after?: string) =>
      client.members.list(
        server.id,
        { limit: pageSize, ...(prefix === "" ? {} : { q: prefix }), ...(after === undefined ? {} : { after }) },
        signal === undefined ? {} : { signal },
      ),
    [client, server.id, prefix],
  );
  const members = useData(read);
  const roles = useData(useCallback((signal) => client.roles.list(server.id, { signal }), [client, server.id]));
  useRoleEvents(server.id, roles.reload);
  useHeldRoles(server.id, members);
  const more = useAction((after: string) =>
    members.extend(async () => {
      const page = await read(undefined, after);
      return (all) => [...all, ...page];
    }),
  );
  const replace = (userId: string, change: Member | null) =>
    members.set((all) => all.flatMap((member) => (member.user_id === userId ? (change ?? []) : member)));
  return (
    <>
      <TextField
        label={labels.search}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <AsyncContent data={members} shape="rows">
        {(all) => {
          const last = all.at(-1);
          if (last === undefined) return <Empty>{labels.none}</Empty>;
          return (
            <>
              <Rows label={labels.title}>
                {all.map((member) => (
                  <MemberRow
                    key={member.user_id}
                    serverId={server.id}
                    may={may}
                    member={member}
                    isOwner={member.user_id === server.owner_id}
                    roles={roles.value}
                    onChange={(change) => replace(member.user_id, change)}
                  />
                ))}
              </Rows>
              <ErrorNote error={more.error} />
              {all.length % pageSize === 0 ? (
                <Button
                  kind="quiet"
                  className={styles.more}
                  disabled={more.isBusy}
                  onClick={() => more.run(last.user_id)}
                >
                  {labels.more}
                </Button>
              ) : null}
            </>
          );
        }}
      </AsyncContent>
    </>
  );
}

function MemberRow({
  serverId,
  may,
  member,
  isOwner,
  roles,
  onChange,
}: {
  serverId: string;
  may: ServerSectionProps["may"];
  member: Member;
  isOwner: boolean;
  /** All of the server, the highest first; null until they are read. */
  roles: readonly Role[] | null;
  onChange: (change: Member | null) => void;
}) {
  const labels = texts.serverSettings.members;
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      picture={<Avatar name={member.username} url={member.avatar_url} size={36} />}
      title={
        <>
          {member.username}
          {isOwner ? <Tag tone="success">{labels.owner}</Tag> : null}
          {heldRoles(member, roles).map((role) => (
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
          {roles === null || roles.length === 0 || !may("MANAGE_ROLES") ? null : (
            <Button kind="quiet" onClick={() => setOpen(true)}>
              {labels.roles}
            </Button>
          )}
          {isOwner ? null : <ModerationMenu serverId={serverId} may={may} member={member} onChange={onChange} />}
          <Dialog open={isOpen} onOpenChange={setOpen} title={labels.rolesOf(member.username)}>
            <RoleBoxes serverId={serverId} member={member} roles={roles ?? []} onChange={onChange} />
          </Dialog>
        </>
      }
    />
  );
}

/** The roles of a member as they are now: what is stored with the member may have been renamed or deleted since. */
const heldRoles = (member: Member, roles: readonly Role[] | null) =>
  roles === null ? member.roles : roles.filter(({ id }) => member.roles.some((held) => held.id === id));

/** Follows which members get and lose roles. */
function useHeldRoles(serverId: string, { set }: Data<Member[]>): void {
  const change = useCallback(
    (userId: string, next: (held: Member["roles"]) => Member["roles"]) =>
      set((all) => all.map((one) => (one.user_id === userId ? { ...one, roles: next(one.roles) } : one))),
    [set],
  );
  useHolderEvents(
    serverId,
    useCallback(
      ({ user_id, role_id: id, role_name: name, role_color: color }) =>
        // Their order is that of the server's roles, not of positions here.
        change(user_id, (held) => [...held.filter((role) => role.id !== id), { id, name, color, position: 0 }]),
      [change],
    ),
    useCallback(({ user_id, role_id }) => change(user_id, (held) => held.filter(({ id }) => id !== role_id)), [change]),
  );
}

function RoleBoxes({
  serverId,
  member,
  roles,
  onChange,
}: {
  serverId: string;
  member: Member;
  roles: readonly Role[];
  onChange: (change: Member) => void;
}) {
  const { client } = useSession();
  const [inTurn] = useState(createTurns);
  /** What was ticked, until the server has answered. */
  const [wanted, setWanted] = useState<Readonly<Record<string, boolean>>>({});
  const change = useAction(async (role: Role, isHeld: boolean) => {
    setWanted((before) => ({ ...before, [role.id]: isHeld }));
    try {
      await inTurn(role.id, () =>
        isHeld
          ? client.roles.assign(serverId, member.user_id, role.id)
          : client.roles.unassign(serverId, member.user_id, role.id),
      );
      onChange(await client.members.get(serverId, member.user_id));
    } finally {
      setWanted((before) => without(before, [role.id]));
    }
  });
  return (
    <>
      {roles.map((role) => (
        <Checkbox
          key={role.id}
          label={role.name}
          checked={wanted[role.id] ?? member.roles.some(({ id }) => id === role.id)}
          onChange={(event) => change.run(role, event.currentTarget.checked)}
        />
      ))}
      <ErrorNote error={change.error} />
    </>
  );
}
