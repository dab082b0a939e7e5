import type { Member, Role } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Checkbox, TextField } from "../../ui/field.js";
import { Row, Rows, Tag } from "../../ui/rows.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import { useDelayed } from "../../ui/use-delayed.js";
import { ModerationButtons } from "./moderation-buttons.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

const pageSize = 50;

/** The members, with search by name, their roles and the actions of moderators. */
export function MembersSection({ server, may }: ServerSectionProps) {
  const { client } = useSession();
  const names = texts.serverSettings.members;
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
        label={names.search}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <AsyncContent data={members}>
        {(all) => {
          const last = all.at(-1);
          if (last === undefined) return <Empty>{names.none}</Empty>;
          return (
            <>
              <Rows label={names.title}>
                {all.map((member) => (
                  <MemberRow
                    key={member.user_id}
                    serverId={server.id}
                    may={may}
                    member={member}
                    isOwner={member.user_id === server.owner_id}
                    roles={roles.value ?? []}
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
                  {names.more}
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
  roles: readonly Role[];
  onChange: (change: Member | null) => void;
}) {
  const names = texts.serverSettings.members;
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      picture={<Avatar name={member.username} url={member.avatar_url} size={36} />}
      title={
        <>
          {member.username}
          {isOwner ? <Tag tone="success">{names.owner}</Tag> : null}
          {member.roles.map((role) => (
            <Tag key={role.id}>{role.name}</Tag>
          ))}
        </>
      }
      detail={
        member.timeout_expires_at === null
          ? names.joined(showTime(member.joined_at))
          : names.timedOut(showTime(member.timeout_expires_at))
      }
      actions={
        <>
          {roles.length === 0 || !may("MANAGE_ROLES") ? null : (
            <Button kind="quiet" onClick={() => setOpen(true)}>
              {names.roles}
            </Button>
          )}
          {isOwner ? null : <ModerationButtons serverId={serverId} may={may} member={member} onChange={onChange} />}
          <Dialog open={isOpen} onOpenChange={setOpen} title={names.rolesOf(member.username)}>
            <RoleBoxes serverId={serverId} member={member} roles={roles} onChange={onChange} />
          </Dialog>
        </>
      }
    />
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
  const change = useAction(async (role: Role, isHeld: boolean) => {
    if (isHeld) await client.roles.assign(serverId, member.user_id, role.id);
    else await client.roles.unassign(serverId, member.user_id, role.id);
    onChange(await client.members.get(serverId, member.user_id));
  });
  return (
    <>
      {roles.map((role) => (
        <Checkbox
          key={role.id}
          label={role.name}
          checked={member.roles.some(({ id }) => id === role.id)}
          disabled={change.isBusy}
          onChange={(event) => change.run(role, event.currentTarget.checked)}
        />
      ))}
      <ErrorNote error={change.error} />
    </>
  );
}
