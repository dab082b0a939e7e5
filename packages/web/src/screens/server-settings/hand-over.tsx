import type { RawServer } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ConfirmButton } from "../../ui/overlays/confirm.js";

/** Members that the choice offers at a time; the search finds the others. */
const offeredMax = 50;

/** Makes another member the owner of the server. */
export function HandOverPanel({ server }: { server: RawServer }) {
  const { client } = useApp();
  const labels = texts.serverSettings.handOver;
  const [heirId, setHeirId] = useState("");
  const [password, setPassword] = useState("");
  return (
    <Panel title={labels.title}>
      <p>{labels.explanation}</p>
      <ConfirmButton
        label={labels.button}
        title={labels.question(server.name)}
        explanation={labels.consequences}
        isReady={heirId !== "" && password !== ""}
        onConfirm={() => client.servers.handOver(server.id, { user_id: heirId, password })}
      >
        <HeirChoice server={server} heirId={heirId} onChoose={setHeirId} />
        <TextField
          label={labels.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </ConfirmButton>
    </Panel>
  );
}

function HeirChoice({
  server,
  heirId,
  onChoose,
}: {
  server: RawServer;
  heirId: string;
  onChoose: (userId: string) => void;
}) {
  const { client } = useApp();
  const labels = texts.serverSettings.handOver;
  const [search, setSearch] = useState("");
  const prefix = useDelayed(search.trim());
  const members = useData(
    useCallback(
      (signal: AbortSignal) =>
        client.members.list(server.id, { limit: offeredMax, ...(prefix === "" ? {} : { q: prefix }) }, { signal }),
      [client, server.id, prefix],
    ),
  );
  useGatewayEvent("MEMBER_JOIN", ({ server_id }) => {
    if (server_id === server.id) void members.reload();
  });
  useGatewayEvent("MEMBER_UPDATE", ({ server_id, member }) => {
    if (server_id !== server.id) return;
    members.set((all) => all.map((one) => (one.user_id === member.user_id ? { ...one, ...member } : one)));
  });
  useGatewayEvent("MEMBER_LEAVE", ({ server_id, user_id }) => {
    if (server_id !== server.id) return;
    members.set((all) => all.filter((one) => one.user_id !== user_id));
    if (user_id === heirId) onChoose("");
  });
  const others = members.value?.filter(({ user_id }) => user_id !== server.owner_id) ?? [];
  return (
    <>
      <TextField
        label={labels.search}
        type="search"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          onChoose("");
        }}
      />
      <Choice label={labels.heir} value={heirId} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{others.length === 0 && members.value !== null ? labels.nobody : labels.choose}</option>
        {others.map(({ user_id, username }) => (
          <option key={user_id} value={user_id}>
            {username}
          </option>
        ))}
      </Choice>
      <ErrorNote error={members.error === null ? null : errorText(members.error)} />
    </>
  );
}
