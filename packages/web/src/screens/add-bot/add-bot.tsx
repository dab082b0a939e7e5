import { type BotProfile, ParleyError, type RawServer } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { mayInServer, permissionNames } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { errorText } from "../../texts/error-text.js";
import { formats, texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import { useNotice } from "../../ui/page/notice.js";
import { PermissionBoxes, permissionsOf } from "../server-settings/role-boxes.js";
import styles from "./add-bot.module.css";

/** A bot, with a form that adds it to a server of the user's choice. */
export function AddBot({ botId }: { botId: string }) {
  const { client } = useApp();
  const [, navigate] = useLocation();
  const labels = texts.apps.add;
  const { value, error, reload } = useData(
    useCallback((signal: AbortSignal) => client.bots.profile(botId, { signal }), [client, botId]),
  );
  const isGone = error instanceof ParleyError && [400, 404].includes(error.status);
  return (
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="add-bot-title">
        {value !== null ? (
          <>
            <Introduction bot={value} />
            <AddForm bot={value} />
          </>
        ) : error === null ? (
          <p role="status">{texts.common.loading}</p>
        ) : (
          <>
            <h1 id="add-bot-title" className={styles.title}>
              {isGone ? labels.goneTitle : labels.failedTitle}
            </h1>
            <p role="alert">{isGone ? labels.gone : errorText(error)}</p>
            {isGone ? null : <Button onClick={reload}>{texts.common.retry}</Button>}
          </>
        )}
        <Button kind="quiet" onClick={() => navigate("/")}>
          {texts.common.toStart}
        </Button>
      </section>
    </main>
  );
}

function Introduction({ bot: { name, description, avatar_url, command_count, server_count } }: { bot: BotProfile }) {
  const labels = texts.apps.add;
  return (
    <header className={styles.head}>
      <Avatar name={name} url={avatar_url} size={64} />
      <div>
        <h1 id="add-bot-title" className={styles.title}>
          {labels.title(name)}
        </h1>
        {description === null ? null : <p dir="auto">{description}</p>}
        <p className={styles.counts}>{formats.list([labels.commands(command_count), labels.servers(server_count)])}</p>
      </div>
    </header>
  );
}

function AddForm({ bot: { id, name, requested_permissions: requested } }: { bot: BotProfile }) {
  const labels = texts.apps.add;
  const { client } = useApp();
  const [, navigate] = useLocation();
  const say = useNotice((notice) => notice.show);
  const servers = useManagedServers();
  const asked = permissionNames.filter((permission) => (requested & permissionBits[permission]) !== 0);
  const add = useAction(async (form: FormData) => {
    const serverId = textOf(form, "server");
    await client.bots.addToServer(serverId, { bot_id: id, permissions: permissionsOf(form) });
    say(labels.added(name));
    navigate(`/servers/${serverId}`);
  });
  if (servers === null) return <p role="status">{texts.common.loading}</p>;
  if (servers.length === 0) return <p>{labels.noServers}</p>;
  return (
    <form className={styles.form} onSubmit={onForm(add.run)}>
      <Choice label={labels.server} hint={labels.serverHint} name="server" required>
        {servers.map((server) => (
          <option key={server.id} value={server.id}>
            {server.name}
          </option>
        ))}
      </Choice>
      {asked.length === 0 ? (
        <p>{labels.noPermissions}</p>
      ) : (
        <>
          <p>{labels.permissionsHint}</p>
          <PermissionBoxes permissions={requested} names={asked} />
        </>
      )}
      <ErrorNote error={add.error} />
      <Button type="submit" disabled={add.isBusy}>
        {labels.add}
      </Button>
    </form>
  );
}

/** The servers to which the user may add bots; null until their rights in all servers are known. */
function useManagedServers(): readonly RawServer[] | null {
  const { servers: reader } = useApp();
  const isConnected = useAppState((state) => state.me !== null);
  const unknown = useAppState(
    useShallow(({ servers, members, me }) =>
      servers
        .filter(({ id, owner_id }) => owner_id !== me?.id && members[id]?.[me?.id ?? ""] === undefined)
        .map(({ id }) => id),
    ),
  );
  const managed = useAppState(
    useShallow((state) => state.servers.filter(({ id }) => mayInServer(state, id, "MANAGE_SERVER"))),
  );
  useRead(useCallback(() => Promise.all(unknown.map((id) => reader.readMe(id))), [reader, unknown]));
  return isConnected && unknown.length === 0 ? managed : null;
}
