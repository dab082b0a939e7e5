import { type RefObject, useEffect, useRef } from "react";
import { isCovered } from "../../actions/composer-element.js";
import { useConversation } from "../context.js";

/** Gives the composer's field the focus when a conversation is opened, a reply begins and a message was edited. */
export function useComposerFocus(field: RefObject<HTMLTextAreaElement | null>, isTouch: boolean): void {
  const { replyTo, editingId } = useConversation();
  useEffect(() => {
    // A menu or dialog that was opened in the meantime would close.
    if (!isTouch && !isCovered(field.current)) field.current?.focus();
  }, [field, isTouch]);
  useEffect(() => {
    if (replyTo !== null) field.current?.focus();
  }, [field, replyTo]);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The focus was in the editor, which is removed now.
    if (wasEditing.current && editingId === null && !isTouch) field.current?.focus();
    wasEditing.current = editingId !== null;
  }, [field, editingId, isTouch]);
}
