import { Pencil } from "lucide-react";
import { useShallow } from "zustand/react/shallow";
import { useApp, useAppState } from "../../state/app/use-app.js";
import type { KeptDraft } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { useThreadRequest } from "../conversation/asked-thread.js";
import { KeptRow } from "./kept-row.js";
import { placeOf } from "./place.js";

/** What the user has begun to write, on any device, the text changed last first. */
export function DraftsList() {
  const labels = texts.inbox;
  const drafts = useAppState(
    useShallow(({ drafts: all }) =>
      Object.values(all)
        .filter(({ content }) => content !== "")
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
    ),
  );
  return (
    <ListRows items={drafts} label={labels.tabs.drafts} empty={labels.drafts.empty}>
      {(draft) => <DraftRow key={draft.threadId ?? draft.channelId} draft={draft} />}
    </ListRows>
  );
}

function DraftRow({ draft: { channelId, threadId, content, updatedAt } }: { draft: KeptDraft }) {
  const labels = texts.inbox.drafts;
  const { drafts } = useApp();
  const name = useAppState((state) => placeOf(state, channelId)?.name ?? "");
  const drop = () => {
    drafts.drop({ channelId, threadId });
  };
  return (
    <KeptRow
      head={threadId === null ? name : labels.inThread}
      picture={<Pencil size={22} strokeWidth={1.5} aria-hidden />}
      place={{ channelId }}
      {...(threadId === null
        ? {}
        : { onNavigate: () => useThreadRequest.setState({ asked: { channelId, rootId: threadId } }) })}
      isPlaceShown={threadId !== null}
      message={null}
      text={content}
      time={updatedAt}
      actions={
        <Button kind="quiet" aria-label={`${labels.drop}: ${name}`} onClick={drop}>
          {labels.drop}
        </Button>
      }
    />
  );
}
