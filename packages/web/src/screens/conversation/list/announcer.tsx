import { useState } from "react";
import { nameIn } from "../../../state/names.js";
import { isBlocked } from "../../../state/people.js";
import { useAppState } from "../../../state/use-app.js";
import { useConversation } from "../context.js";

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
      {isNew && name !== undefined ? `${name}: ${last.content.slice(0, 300)}` : null}
    </p>
  );
}
