import { Pencil } from "lucide-react";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";

/** Marks a channel or conversation in which the user has begun to write; the open one shows the text itself. */
export function DraftMark({ placeId, isCurrent }: { placeId: string; isCurrent: boolean }) {
  const hasDraft = useAppState(({ drafts }) => (drafts[placeId]?.content ?? "") !== "");
  if (!hasDraft || isCurrent) return null;
  return (
    <>
      <Pencil size={13} aria-hidden />
      <span className="visually-hidden">, {texts.inbox.drafts.has}</span>
    </>
  );
}
