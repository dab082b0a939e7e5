import type { Server } from "@parley/client";
import { Compass } from "lucide-react";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import { TopBar } from "../shell/top-bar.js";
import styles from "./browse.module.css";

/** The public servers. */
export function Browse() {
  const labels = texts.shell.browsePage;
  const { client } = useApp();
  const [filter, setFilter] = useState("");
  const servers = useData(useCallback((signal) => client.servers.browse({ signal }), [client]));
  return (
    <>
      <TopBar title={labels.title} icon={<Compass size={20} aria-hidden />} />
      <div className={styles.page}>
        <p className={styles.explanation}>{labels.explanation}</p>
        <AsyncContent data={servers} shape="cards">
          {(list) => {
            const shown = list.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
            return list.length === 0 ? (
              <Empty>{labels.empty}</Empty>
            ) : (
              <>
                <TextField
                  label={labels.search}
                  type="search"
                  value={filter}
                  onChange={(e) => setFilter(e.target.value)}
                />
                {shown.length === 0 ? <Empty>{labels.noMatch}</Empty> : null}
                <ul className={styles.grid}>
                  {shown.map((server) => (
                    <Card key={server.id} server={server} />
                  ))}
                </ul>
              </>
            );
          }}
        </AsyncContent>
      </div>
    </>
  );
}

function Card({ server: { id, member_count, ...listed } }: { server: Server }) {
  const labels = texts.shell.browsePage;
  const { servers } = useApp();
  const joined = useAppState((state) => state.servers.find((server) => server.id === id));
  const isMember = joined !== undefined;
  // Events keep the user's own servers current; the page reads the others when it opens.
  const { name, icon_url } = joined ?? listed;
  const [, navigate] = useLocation();
  const begin = useFirstSteps((steps) => steps.begin);
  const join = useAction(useCallback(() => servers.join(id), [servers, id]));
  const open = async () => {
    if (!isMember) {
      if (!(await join.run())) return;
      begin(id, "member");
    }
    navigate(`/servers/${id}`);
  };
  return (
    <li className={styles.card}>
      <Avatar name={name} url={icon_url} serverId={id} size={48} />
      <div className={styles.lines}>
        <h2 className={styles.name}>
          <bdi>{name}</bdi>
        </h2>
        <p className={styles.count}>{texts.invite.membersCount(member_count)}</p>
        <ErrorNote error={join.error} />
      </div>
      <Button kind={isMember ? "quiet" : "primary"} disabled={join.isBusy} onClick={open}>
        {isMember ? labels.open : labels.join}
      </Button>
    </li>
  );
}
