import type { Channel, SearchPage } from "@parley/client";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { nameIn } from "../../state/names.js";
import { useApp, useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Choice, TextField } from "../../ui/field.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import { useDelayed } from "../../ui/use-delayed.js";
import { Highlight } from "./highlight.js";
import styles from "./search.module.css";

const minCharacters = 2;
const pageSize = 25;

/** Searches the messages of a server, in one channel or all that the user may view. */
export function SearchDialog({
  serverId,
  channels,
  open,
  onOpenChange,
}: {
  serverId: string;
  channels: readonly Channel[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const labels = texts.search;
  const [text, setText] = useState("");
  const [channelId, setChannelId] = useState("");
  const query = useDelayed(text.trim());
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={labels.title} wide>
      <div className={styles.filters}>
        <TextField
          label={labels.query}
          type="search"
          hint={labels.hint}
          maxLength={200}
          value={text}
          autoFocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Choice label={labels.channel} value={channelId} onChange={(event) => setChannelId(event.currentTarget.value)}>
          <option value="">{labels.everywhere}</option>
          {channels.map((channel) => (
            <option key={channel.id} value={channel.id}>
              {channel.name}
            </option>
          ))}
        </Choice>
      </div>
      {query.length < minCharacters ? null : (
        <Results
          serverId={serverId}
          channels={channels}
          query={query}
          channelId={channelId === "" ? null : channelId}
          onChoose={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  );
}

function Results({
  serverId,
  channels,
  query,
  channelId,
  onChoose,
}: {
  serverId: string;
  channels: readonly Channel[];
  query: string;
  channelId: string | null;
  onChoose: () => void;
}) {
  const { client } = useApp();
  const labels = texts.search;
  const read = useCallback(
    (signal?: AbortSignal, before?: string): Promise<SearchPage> =>
      client.messages.search(
        serverId,
        {
          q: query,
          limit: pageSize,
          ...(channelId === null ? {} : { channel_id: channelId }),
          ...(before === undefined ? {} : { before }),
        },
        signal === undefined ? {} : { signal },
      ),
    [client, serverId, query, channelId],
  );
  const found = useData(read);
  const more = useAction((before: string) =>
    found.extend(async () => {
      const page = await read(undefined, before);
      return ({ results }) => ({ ...page, results: [...results, ...page.results] });
    }),
  );
  return (
    <AsyncContent data={found} shape="rows">
      {({ results, total, next_cursor: next }) => (
        <>
          <p role="status">{total === 0 ? labels.none : labels.found(total)}</p>
          {results.length === 0 ? <Empty>{labels.none}</Empty> : null}
          <ul className={styles.results}>
            {results.map((result) => (
              <Result
                key={result.id}
                result={result}
                serverId={serverId}
                channelName={channels.find(({ id }) => id === result.channel_id)?.name ?? ""}
                onChoose={onChoose}
              />
            ))}
          </ul>
          <ErrorNote error={more.error} />
          {next === null ? null : (
            <Button kind="quiet" disabled={more.isBusy} onClick={() => more.run(next)}>
              {labels.more}
            </Button>
          )}
        </>
      )}
    </AsyncContent>
  );
}

function Result({
  result,
  serverId,
  channelName,
  onChoose,
}: {
  result: SearchPage["results"][number];
  serverId: string;
  channelName: string;
  onChoose: () => void;
}) {
  const [, navigate] = useLocation();
  const { author_id, author_username } = result;
  const author = useAppState((state) => (author_id === null ? undefined : nameIn(state, serverId, author_id)));
  return (
    <li>
      <button
        type="button"
        className={styles.result}
        onClick={() => {
          navigate(`/servers/${serverId}/channels/${result.channel_id}/${result.id}`);
          onChoose();
        }}
      >
        <span className={styles.origin}>
          <bdi className={styles.author}>{author ?? author_username ?? texts.search.author}</bdi>
          {` ${texts.search.in(channelName, showTime(result.created_at))}`}
        </span>
        <Highlight text={result.highlight} />
      </button>
    </li>
  );
}
