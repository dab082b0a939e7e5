import type { AdminUser, AdminUsersQuery } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Choice } from "../../ui/forms/field.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Avatar } from "../../ui/look/avatar.js";
import { showStorage, showTime } from "../../ui/look/show.js";
import { AccountName } from "../profile/account-name.js";
import { SearchedPages, useSearched } from "./searched-pages.js";
import { UserActions } from "./user-actions.js";

type Order = NonNullable<AdminUsersQuery["sort_by"]>;

const orders: readonly Order[] = ["created_at", "username", "message_count", "storage_bytes"];

/** All accounts, with search, order and the actions of administrators. */
export function UsersSection() {
  const { client } = useApp();
  const labels = texts.administration.users;
  const [order, setOrder] = useState<Order>("created_at");
  const users = useSearched(
    useCallback((query, options) => client.admin.users({ ...query, sort_by: order }, options), [client, order]),
  );
  const replace = (id: string, change: AdminUser | null) =>
    users.data.set((found) => ({
      ...found,
      // The answer to a change is without the size that the list has.
      users: found.users.flatMap((user) =>
        user.id !== id ? user : change === null ? [] : { ...sizeOf(user), ...change },
      ),
    }));
  const sorting = (
    <Choice
      label={labels.sort}
      value={order}
      onChange={(event) => setOrder(orders.find((name) => name === event.currentTarget.value) ?? "created_at")}
    >
      <option value="created_at">{labels.byCreation}</option>
      <option value="username">{labels.byName}</option>
      <option value="message_count">{labels.byMessages}</option>
      <option value="storage_bytes">{labels.byStorage}</option>
    </Choice>
  );
  return (
    <SearchedPages searched={users} labels={labels} filters={sorting} itemsOf={(found) => found.users}>
      {(user) => <UserRow key={user.id} user={user} onChange={(change) => replace(user.id, change)} />}
    </SearchedPages>
  );
}

const sizeOf = ({ storage_bytes }: AdminUser) => (storage_bytes === undefined ? {} : { storage_bytes });

function UserRow({ user, onChange }: { user: AdminUser; onChange: (change: AdminUser | null) => void }) {
  const labels = texts.administration.users;
  const isOwn = useAppState((state) => state.me?.id === user.id);
  return (
    <Row
      picture={<Avatar name={user.username} url={user.avatar_url} size={36} />}
      title={
        <>
          <AccountName userId={user.id} username={user.username} />
          {isOwn ? <Tag>{labels.own}</Tag> : null}
          {user.is_admin ? <Tag tone="success">{labels.administrator}</Tag> : null}
          {user.disabled ? <Tag tone="danger">{labels.disabled}</Tag> : null}
        </>
      }
      detail={[
        ...(user.email === null ? [] : [user.email]),
        labels.detail(user.server_count, user.message_count, showTime(user.created_at)),
        ...(user.storage_bytes === undefined ? [] : [labels.storage(showStorage(user.storage_bytes))]),
      ].join(" · ")}
      actions={<UserActions user={user} isOwn={isOwn} onChange={onChange} />}
    />
  );
}
