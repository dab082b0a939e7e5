import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty } from "../../ui/async-content.js";
import { Avatar } from "../../ui/avatar.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { TextField } from "../../ui/field.js";
import { PageButtons } from "../../ui/page-buttons.js";
import { Row, Rows, Tag } from "../../ui/rows.js";
import { showNumber } from "../../ui/show.js";
import { useData } from "../../ui/use-data.js";
import { useDelayed } from "../../ui/use-delayed.js";

/** All servers of the instance, with search. */
export function ServersSection() {
  const { client } = useSession();
  const names = texts.administration.servers;
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const searched = useDelayed(search);
  const servers = useData(
    useCallback(
      (signal) => client.admin.servers({ page, ...(searched === "" ? {} : { search: searched }) }, { signal }),
      [client, page, searched],
    ),
  );
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
      <AsyncContent data={servers}>
        {(found) => (
          <>
            <p role="status">{names.found(showNumber(found.total))}</p>
            {found.servers.length === 0 ? <Empty>{texts.administration.nothing}</Empty> : null}
            <Rows label={names.title}>
              {found.servers.map((server) => (
                <Row
                  key={server.id}
                  picture={<Avatar name={server.name} url={server.icon_url} size={36} />}
                  title={
                    <>
                      {server.name}
                      {server.is_public ? <Tag>{names.public}</Tag> : null}
                    </>
                  }
                  detail={names.detail(
                    server.owner_username,
                    showNumber(server.member_count),
                    showNumber(server.message_count),
                  )}
                  actions={
                    <ConfirmButton
                      label={names.delete}
                      title={names.deleteTitle(server.name)}
                      explanation={names.deleteExplanation}
                      onConfirm={async () => {
                        await client.admin.deleteServer(server.id);
                        servers.reload();
                      }}
                    />
                  }
                />
              ))}
            </Rows>
            <PageButtons page={found.page} pages={Math.ceil(found.total / found.per_page)} onChange={setPage} />
          </>
        )}
      </AsyncContent>
    </>
  );
}
