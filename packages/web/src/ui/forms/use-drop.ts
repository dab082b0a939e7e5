import { type DragEvent, useState } from "react";

/** Takes files that are dropped on an element, while `isAllowed`. `handlers` belong to the element. */
export function useDrop(isAllowed: boolean, onFiles: (files: readonly File[]) => void) {
  const [isDropping, setDropping] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!isAllowed || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
      setDropping(false);
    },
    onDrop: (event: DragEvent) => {
      setDropping(false);
      if (!isAllowed) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
  };
  return { isDropping, handlers };
}
