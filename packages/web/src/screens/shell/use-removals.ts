import { useEffect } from "react";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { useNotice } from "../../ui/notice.js";

/** Shows a notice when the user is removed from a server, or it is gone. */
export function useRemovals(): void {
  const removal = useAppState((state) => state.removal);
  const show = useNotice((notice) => notice.show);
  useEffect(() => {
    if (removal !== null) show(texts.shell.removed[removal.how](removal.serverName, removal.reason));
  }, [removal, show]);
}
