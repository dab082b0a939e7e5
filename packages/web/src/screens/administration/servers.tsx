import type { AdminServer, AdminServersQuery, AdminUpdateServerBody } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice } from "../../ui/forms/field.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Avatar } from "../../ui/look/avatar.js";
import { showStorage } from "../../ui/look/show.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { QuotaDialog } from "./quota-dialog.js";
import { SearchedPages, useSearched } from "./searched-pages.js";

type Order = NonNullable<AdminServersQuery["sort_by"]>;

/** All servers of the instance, with search, order, and the actions of administrators. */
export function ServersSection() {
  const { client } = useApp();
  const labels = texts.administration.servers;
  const users = texts.administration.users;
  const [order, setOrder] = useState<Order>("created_at");
  const servers = useSearched(
    useCallback((query, options) => client.admin.servers({ ...query, sort_by: order }, options), [client, order]),
  );
  const replace = (id: string, change: AdminServer | null) =>
    servers.data.set((found) => ({
      ...found,
      total: change === null ? found.total - 1 : found.total,
      // The answer to a change is without the size that the list has.
      servers: found.servers.flatMap((server) =>
        server.id !== id ? server : change === null ? [] : { ...sizeOf(server), ...change },
      ),
    }));
  const sorting = (
    <Choice
      label={users.sort}
      value={order}
      onChange={(event) => setOrder(event.currentTarget.value === "storage_bytes" ? "storage_bytes" : "created_at")}
    >
      <option value="created_at">{users.byCreation}</option>
      <option value="storage_bytes">{users.byStorage}</option>
    </Choice>
  );
  return (
    <SearchedPages searched={servers} labels={labels} filters={sorting} itemsOf={(found) => found.servers}>
      {(server) => <ServerRow key={server.id} server={server} onChange={(change) => replace(server.id, change)} />}
    </SearchedPages>
  );
}

const sizeOf = ({ storage_bytes }: AdminServer) => (storage_bytes === undefined ? {} : { storage_bytes });

function ServerRow({ server, onChange }: { server: AdminServer; onChange: (change: AdminServer | null) => void }) {
  const { client } = useApp();
  const labels = texts.administration.servers;
  const users = texts.administration.users;
  const [isSizing, setSizing] = useState(false);
  const update = useAction(async (body: AdminUpdateServerBody) =>
    onChange(await client.admin.updateServer(server.id, body)),
  );
  const change = (label: string, body: AdminUpdateServerBody) => ({ label, onSelect: () => void update.run(body) });
  const isListed = server.listed !== false;
  return (
    <>
      <Row
        picture={<Avatar name={server.name} url={server.icon_url} serverId={server.id} size={36} />}
        title={
          <>
            {server.name}
            {server.is_public ? <Tag>{labels.public}</Tag> : null}
            {isListed ? null : <Tag tone="danger">{labels.hidden}</Tag>}
            {server.featured === true ? <Tag tone="success">{labels.featured}</Tag> : null}
          </>
        }
        detail={[
          labels.detail(server.owner_username, server.member_count, server.message_count),
          ...(server.storage_bytes === undefined ? [] : [users.storage(showStorage(server.storage_bytes))]),
        ].join(" · ")}
        actions={
          <>
            <ErrorNote error={update.error} />
            <RowMenu
              name={server.name}
              actions={[
                server.is_public ? change(isListed ? labels.hide : labels.list, { listed: !isListed }) : null,
                server.is_public
                  ? change(server.featured ? labels.unfeature : labels.feature, { featured: server.featured !== true })
                  : null,
                { label: users.quota, onSelect: () => setSizing(true) },
                {
                  label: labels.delete,
                  danger: true,
                  question: {
                    title: labels.deleteTitle(server.name),
                    explanation: labels.deleteExplanation,
                    onConfirm: async () => {
                      await client.admin.deleteServer(server.id);
                      onChange(null);
                    },
                  },
                },
              ]}
            />
          </>
        }
      />
      {isSizing ? (
        <QuotaDialog
          name={server.name}
          quota={server.quota}
          onSave={async (quota) => onChange(await client.admin.updateServer(server.id, { quota }))}
          onClose={() => setSizing(false)}
        />
      ) : null}
    </>
  );
}
