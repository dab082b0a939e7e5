import type { Message } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useState } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import { nameIn } from "../../../state/people/names.js";
import { isBlocked } from "../../../state/people/people.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";

/** Characters of a message that are read aloud. */
const textMax = 300;

/** Live region with the newest message that another user has sent since the conversation was opened. */
export function Announcer({ placeId }: { placeId: string }) {
  const last = useAppState((state) => {
    const history = state.histories[placeId];
    return history?.hasNewer === false ? history.messages.at(-1) : undefined;
  });
  const { serverId } = useConversation();
  const name = useAppState((state) => nameIn(state, serverId, last?.author_id ?? ""));
  const myId = useAppState((state) => state.me?.id);
  const [firstId, setFirstId] = useState(last?.id);
  if (firstId === undefined && last !== undefined) setFirstId(last.id);
  const isFolded = useAppState((state) => isBlocked(state, last?.author_id ?? null));
  const isNew =
    last !== undefined && firstId !== undefined && last.id > firstId && last.author_id !== myId && !isFolded;
  return (
    <p className="visually-hidden" role="status">
      {isNew && name !== undefined ? `${name}: ${excerpt(last.content, textMax)}` : null}
    </p>
  );
}

/** Live regions with the answers of bots to the user alone: whether they will answer, and their text. */
export function AppAnnouncer({ placeId }: { placeId: string }) {
  const { serverId } = useConversation();
  const labels = texts.apps;
  const asked = useAppState(({ interactions }) => interactions.findLast(({ channelId }) => channelId === placeId));
  const askedName = useAppState((state) => nameIn(state, serverId, asked?.botUserId ?? "")) ?? labels.app;
  const last = useAppState(({ ephemeral }) => ephemeral[placeId]?.at(-1));
  const name = useAppState((state) => nameIn(state, serverId, last?.author_id ?? "")) ?? labels.app;
  // One before it was announced when it came; it is not again when those after it are dismissed.
  const [newestId, setNewestId] = useState(last?.id ?? "");
  if (last !== undefined && last.id > newestId) setNewestId(last.id);
  const isFailed = asked?.state === "failed";
  return (
    <>
      <p className="visually-hidden" role="status">
        {asked?.state === "deferred" ? labels.thinking(askedName) : null}
      </p>
      <p className="visually-hidden" role="alert">
        {isFailed ? (asked.error ?? labels.noAnswer(askedName)) : null}
      </p>
      <p className="visually-hidden" role="status">
        {last !== undefined && last.id === newestId ? `${labels.onlyYou}. ${name}: ${shortText(last)}` : null}
      </p>
    </>
  );
}

/** The beginning of a message's text, its own or an embed's. */
function shortText({ content, embeds = [] }: Message): string {
  const parts = [content, ...embeds.flatMap(({ title, description }) => [title, description])];
  return excerpt(parts.find((part) => part !== null && part !== "") ?? "", textMax);
}
