import type { AdminUser, AdminUsersQuery } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { Choice, TextField } from "../../ui/field.js";
import { PageButtons } from "../../ui/page-buttons.js";
import { Row, Rows, Tag } from "../../ui/rows.js";
import { showNumber, showTime } from "../../ui/show.js";
import { useData } from "../../ui/use-data.js";
import { useDelayed } from "../../ui/use-delayed.js";
import { UserActions } from "./user-actions.js";

type Order = NonNullable<AdminUsersQuery["sort_by"]>;

const orders: readonly Order[] = ["created_at", "username", "message_count"];

/** All accounts, with search, order and what an administrator can do to each. */
export function UsersSection() {
  const { client } = useSession();
  const names = texts.administration.users;
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<Order>("created_at");
  const [page, setPage] = useState(1);
  const searched = useDelayed(search);
  const users = useData(
    useCallback(
      (signal) =>
        client.admin.users({ page, sort_by: order, ...(searched === "" ? {} : { search: searched }) }, { signal }),
      [client, page, order, searched],
    ),
  );
  const replace = (id: string, change: AdminUser | null) =>
    users.set((found) => ({
      ...found,
      users: found.users.flatMap((user) => (user.id === id ? (change ?? []) : user)),
    }));
  return (
    <>
      <TextField
        label={names.search}
        type="search"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPage(1);
        }}
      />
      <Choice
        label={names.sort}
        value={order}
        onChange={(event) => setOrder(orders.find((name) => name === event.currentTarget.value) ?? "created_at")}
      >
        <option value="created_at">{names.byCreation}</option>
        <option value="username">{names.byName}</option>
        <option value="message_count">{names.byMessages}</option>
      </Choice>
      <AsyncContent data={users}>
        {(found) => (
          <>
            <p role="status">{names.found(showNumber(found.total))}</p>
            {found.users.length === 0 ? <Empty>{texts.administration.nothing}</Empty> : null}
            <Rows label={names.title}>
              {found.users.map((user) => (
                <UserRow key={user.id} user={user} onChange={(change) => replace(user.id, change)} />
              ))}
            </Rows>
            <PageButtons page={found.page} pages={Math.ceil(found.total / found.per_page)} onChange={setPage} />
          </>
        )}
      </AsyncContent>
    </>
  );
}

function UserRow({ user, onChange }: { user: AdminUser; onChange: (change: AdminUser | null) => void }) {
  const names = texts.administration.users;
  return (
    <Row
      picture={<Avatar name={user.username} url={user.avatar_url} size={36} />}
      title={
        <>
          {user.username}
          {user.is_admin ? <Tag tone="success">{names.administrator}</Tag> : null}
          {user.disabled ? <Tag tone="danger">{names.disabled}</Tag> : null}
        </>
      }
      detail={`${user.email === null ? "" : `${user.email} · `}${names.detail(
        showNumber(user.server_count),
        showNumber(user.message_count),
        showTime(user.created_at),
      )}`}
      actions={<UserActions user={user} onChange={onChange} />}
    />
  );
}
