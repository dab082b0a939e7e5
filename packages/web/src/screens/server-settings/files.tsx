import type { AttachmentsListOfServerQuery, FilePage } from "@parley/client";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Chips } from "../../ui/forms/chips.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Details, Row } from "../../ui/lists/rows.js";
import { showStorage, showTime } from "../../ui/look/show.js";
import { StorageBar } from "../storage/storage-bar.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";

const pageSize = 25;
const kinds = ["all", "image", "video", "audio", "file"] as const;
type Kind = (typeof kinds)[number];
type ListedFile = FilePage["files"][number];

/** The files in the channels that the user may view, and for those who manage the server how much room they take. */
export function FilesSection({ server, may }: ServerSectionProps) {
  return (
    <>
      {may("MANAGE_SERVER") ? <UsedStorage serverId={server.id} /> : null}
      <FileList serverId={server.id} />
    </>
  );
}

function UsedStorage({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const use = useData(useCallback((signal) => client.servers.storage(serverId, { signal }), [client, serverId]));
  return (
    <Panel title={texts.serverSettings.files.storage}>
      <AsyncContent data={use}>{(known) => <StorageBar use={known} />}</AsyncContent>
    </Panel>
  );
}

function FileList({ serverId }: { serverId: string }) {
  const { client } = useApp();
  const labels = texts.serverSettings.files;
  const [kind, setKind] = useState<Kind>("all");
  const read = useCallback(
    (before: string | null, signal?: AbortSignal) => {
      const query: AttachmentsListOfServerQuery = {
        limit: pageSize,
        ...(kind === "all" ? {} : { type: kind }),
        ...(before === null ? {} : { before }),
      };
      return client.attachments.listOfServer(serverId, query, signal === undefined ? {} : { signal });
    },
    [client, serverId, kind],
  );
  const list = useData(useCallback((signal) => read(null, signal), [read]));
  const older = useAction(() =>
    list.extend(async () => {
      const page = await read(list.value?.next ?? null);
      return (known) => ({ files: [...known.files, ...page.files], next: page.next });
    }),
  );
  return (
    <>
      <Chips
        label={labels.kind}
        choices={kinds.map((value) => ({ value, label: labels.kinds[value] }))}
        value={kind}
        onChoose={setKind}
      />
      <AsyncContent data={list} shape="rows">
        {({ files, next }) => (
          <ListRows
            items={files}
            label={labels.title}
            empty={labels.none}
            {...(next === null ? {} : { more: { label: labels.older, action: older } })}
          >
            {(file) => <FileRow key={file.id} file={file} serverId={serverId} />}
          </ListRows>
        )}
      </AsyncContent>
    </>
  );
}

function FileRow({ file, serverId }: { file: ListedFile; serverId: string }) {
  const { client } = useApp();
  const labels = texts.serverSettings.files;
  const channel = useAppState((state) => state.channels[file.channel_id]?.name);
  const place = [...(channel === undefined ? [] : [`#${channel}`]), showTime(file.created_at)];
  return (
    <Row
      title={
        <a
          className={styles.fileName}
          href={client.resolve(file.url)}
          download={file.filename}
          rel="noopener noreferrer"
          aria-label={labels.download(file.filename)}
        >
          <bdi>{file.filename}</bdi>
        </a>
      }
      detail={<Details parts={[showStorage(file.file_size), ...place]} />}
      actions={
        <Link
          className={styles.fileName}
          href={`/servers/${serverId}/channels/${file.channel_id}/${file.message_id}`}
          aria-label={labels.toMessageOf(file.filename)}
        >
          {labels.toMessage}
        </Link>
      }
    />
  );
}
