import type { Gif } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../../ui/data/async-content.js";
import { Loading } from "../../../ui/data/loading.js";
import { useAction } from "../../../ui/data/use-action.js";
import { useData } from "../../../ui/data/use-data.js";
import { useDelayed } from "../../../ui/data/use-delayed.js";
import { TextField } from "../../../ui/forms/field.js";
import { usePicture } from "../../../ui/look/foreign-picture.js";
import { Dialog } from "../../../ui/overlays/dialog.js";
import { useConversation } from "../context.js";
import styles from "./gif-dialog.module.css";
import { useSlowMode } from "./use-slow-mode.js";
import { WaitLine } from "./wait-line.js";

const limit = "24";

/** Searches GIFs through the server, which has the provider's key, and sends the URL of one. */
export function GifDialog({ threadId, onClose }: { threadId: string | null; onClose: () => void }) {
  const { client, sending } = useApp();
  const { place } = useConversation();
  const labels = texts.conversation.gif;
  const { waitSeconds, isHeld } = useSlowMode();
  const [text, setText] = useState("");
  const query = useDelayed(text.trim());
  const gifs = useData(
    useCallback(
      async (signal) => (query === "" ? [] : client.gifs.search({ q: query, limit }, { signal })),
      [client, query],
    ),
  );
  const send = useAction(async (gif: Gif) => {
    onClose();
    await sending.send({ place, content: gif.url, ...(threadId === null ? {} : { threadId }) });
  });
  return (
    <Dialog open onOpenChange={onClose} title={labels.create} wide>
      <TextField
        label={labels.search}
        type="search"
        value={text}
        autoFocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ErrorNote error={send.error} />
      <WaitLine seconds={waitSeconds} />
      <AsyncContent data={gifs} shape="cards">
        {(found) =>
          found.length === 0 ? (
            <Empty>{query === "" ? labels.hint : labels.none}</Empty>
          ) : (
            <ul className={styles.gifs}>
              {found.map((gif) => (
                <li key={gif.url}>
                  <button type="button" className={styles.gif} disabled={isHeld} onClick={() => send.run(gif)}>
                    <GifPicture gif={gif} />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </Dialog>
  );
}

function GifPicture({ gif }: { gif: Gif }) {
  const address = usePicture(gif.preview_url);
  return address === null ? <Loading /> : <img src={address} alt={gif.title} loading="lazy" />;
}
