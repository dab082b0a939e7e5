import { attachmentsMax } from "@parley/contracts";
import { useCallback, useEffect, useState } from "react";
import { texts } from "../../../texts/texts.js";
import { holdPage } from "../../../ui/page/reload.js";
import { checkFile } from "./check-file.js";

/** The files to be sent with the next message, within the limits of docs/protocol/limits.md#16.1. */
export function useFiles() {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [error, setError] = useState<string | null>(null);
  /** Lists of files that are looked at before they are added. */
  const [checks, setChecks] = useState(0);
  const add = useCallback(async (added: readonly File[]) => {
    setError(null);
    setChecks((before) => before + 1);
    const reasons = await Promise.all(added.map((file) => checkFile(file).catch(() => texts.common.failed)));
    setChecks((before) => before - 1);
    setError(reasons.find((reason) => reason !== null) ?? null);
    setFiles((before) => {
      const next = [...before, ...added.filter((_, index) => reasons[index] === null)];
      if (next.length > attachmentsMax) setError(texts.conversation.tooManyFiles);
      return next.slice(0, attachmentsMax);
    });
  }, []);
  const remove = useCallback((file: File) => {
    setError(null);
    setFiles((before) => before.filter((other) => other !== file));
  }, []);
  const hasFiles = files.length > 0;
  useEffect(() => {
    if (hasFiles) return holdPage();
  }, [hasFiles]);
  const clear = useCallback(() => {
    setError(null);
    setFiles([]);
  }, []);
  return { files, error, isChecking: checks > 0, add, remove, clear };
}
