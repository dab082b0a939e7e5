import type { Channel } from "@parley/client";
import { type ReactNode, useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { showTime } from "../../ui/look/show.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import styles from "./search.module.css";
import { type FindPage, type Found, SearchResults } from "./search-results.js";

const minCharacters = 2;
const pageSize = 25;

interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Searches the messages of a server, in one channel or all that the user may view. */
export function SearchDialog({
  serverId,
  channels,
  ...dialog
}: DialogState & { serverId: string; channels: readonly Channel[] }) {
  const labels = texts.search;
  const { client } = useApp();
  const [channelId, setChannelId] = useState("");
  const find: FindPage = useCallback(
    (q, cursor, options) => {
      const where = channelId === "" ? {} : { channel_id: channelId };
      return client.messages.search(serverId, { q, limit: pageSize, ...where, ...cursor }, options);
    },
    [client, serverId, channelId],
  );
  const nameOf = (id: string) => channels.find((channel) => channel.id === id)?.name ?? "";
  return (
    <SearchFrame
      {...dialog}
      serverId={serverId}
      find={find}
      pathOf={({ id, channel_id }) => `/servers/${serverId}/channels/${channel_id}/${id}`}
      originOf={({ channel_id, created_at }) => labels.in(nameOf(channel_id), showTime(created_at))}
      filter={
        <Choice label={labels.channel} value={channelId} onChange={(event) => setChannelId(event.currentTarget.value)}>
          <option value="">{labels.everywhere}</option>
          {channels.map((channel) => (
            <option key={channel.id} value={channel.id}>
              {channel.name}
            </option>
          ))}
        </Choice>
      }
    />
  );
}

/** Searches the messages of a conversation. */
export function DirectSearchDialog({ channelId, ...dialog }: DialogState & { channelId: string }) {
  const { client } = useApp();
  const find: FindPage = useCallback(
    (q, cursor, options) => client.directMessages.search(channelId, { q, limit: pageSize, ...cursor }, options),
    [client, channelId],
  );
  return (
    <SearchFrame
      {...dialog}
      serverId={null}
      find={find}
      pathOf={({ id }) => `/dm/${channelId}/${id}`}
      originOf={({ created_at }) => showTime(created_at)}
    />
  );
}

/** The field with the words, their results, and perhaps the place to search. */
function SearchFrame({
  open,
  onOpenChange,
  find,
  filter,
  ...shown
}: DialogState & {
  serverId: string | null;
  find: FindPage;
  filter?: ReactNode;
  pathOf: (result: Found) => string;
  originOf: (result: Found) => string;
}) {
  const labels = texts.search;
  const [text, setText] = useState("");
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
        {filter}
      </div>
      {query.length < minCharacters ? null : (
        <SearchResults {...shown} find={find} query={query} onChoose={() => onOpenChange(false)} />
      )}
    </Dialog>
  );
}
