import { useCallback, useEffect, useState } from "react";
import { holdPage } from "../../session/reload.js";
import { texts } from "../../texts/texts.js";

const filesMax = 10;
const bytesMax = 52_428_800;

/** The files to be sent with the next message, within the limits of docs/interface.md#16.1. */
export function useFiles() {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [error, setError] = useState<string | null>(null);
  const add = useCallback((added: readonly File[]) => {
    const tooLarge = added.find(({ size }) => size > bytesMax);
    setFiles((before) => {
      const next = [...before, ...added.filter(({ size }) => size <= bytesMax)];
      if (next.length > filesMax) setError(texts.conversation.tooManyFiles);
      return next.slice(0, filesMax);
    });
    setError(tooLarge === undefined ? null : texts.conversation.fileTooLarge(tooLarge.name));
  }, []);
  const remove = useCallback((file: File) => {
    setError(null);
    setFiles((before) => before.filter((other) => other !== file));
  }, []);
  const hasFiles = files.length > 0;
  useEffect(() => (hasFiles ? holdPage() : undefined), [hasFiles]);
  const clear = useCallback(() => {
    setError(null);
    setFiles([]);
  }, []);
  return { files, error, add, remove, clear };
}
