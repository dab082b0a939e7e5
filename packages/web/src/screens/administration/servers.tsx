import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Avatar } from "../../ui/look/avatar.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { SearchedPages, useSearched } from "./searched-pages.js";

/** All servers of the instance, with search. */
export function ServersSection() {
  const { client } = useApp();
  const labels = texts.administration.servers;
  const servers = useSearched(useCallback((query, options) => client.admin.servers(query, options), [client]));
  return (
    <SearchedPages searched={servers} labels={labels} itemsOf={(found) => found.servers}>
      {(server) => (
        <Row
          key={server.id}
          picture={<Avatar name={server.name} url={server.icon_url} serverId={server.id} size={36} />}
          title={
            <>
              {server.name}
              {server.is_public ? <Tag>{labels.public}</Tag> : null}
            </>
          }
          detail={labels.detail(server.owner_username, server.member_count, server.message_count)}
          actions={
            <RowMenu
              name={server.name}
              actions={[
                {
                  label: labels.delete,
                  danger: true,
                  question: {
                    title: labels.deleteTitle(server.name),
                    explanation: labels.deleteExplanation,
                    onConfirm: async () => {
                      await client.admin.deleteServer(server.id);
                      servers.data.set((found) => ({
                        ...found,
                        total: found.total - 1,
                        servers: found.servers.filter(({ id }) => id !== server.id),
                      }));
                    },
                  },
                },
              ]}
            />
          }
        />
      )}
    </SearchedPages>
  );
}
