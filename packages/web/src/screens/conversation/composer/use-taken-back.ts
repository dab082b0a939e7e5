import { type RefObject, useEffect } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useConversation } from "../context.js";
import type { useDraft } from "./use-draft.js";
import type { useFiles } from "./use-files.js";

/** Puts a message that was not sent back into the composer, before the present text. */
export function useTakenBack(
  threadId: string | undefined,
  field: RefObject<HTMLTextAreaElement | null>,
  { draft, files }: { draft: ReturnType<typeof useDraft>; files: ReturnType<typeof useFiles> },
): void {
  const { sending } = useApp();
  const { place, reply } = useConversation();
  const key = threadId ?? place.id;
  const message = useAppState((state) => state.takenBack[key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message is put back once, whatever is written then.
  useEffect(() => {
    if (message === undefined) return;
    const text = [message.content, draft.text].filter((part) => part !== "").join("\n");
    draft.change(text, message.content.length);
    if (message.files.length > 0) void files.add(message.files);
    if (message.replyTo !== null) reply(message.replyTo);
    void sending.discard(message);
    field.current?.focus();
  }, [message]);
}
