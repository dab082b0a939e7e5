/** Milliseconds before the first request to the server, and the longest wait between two. */
const askAfterMs = 2_000;
const askAfterMsMax = 30_000;

/** Finds out when a server that did not answer does again. */
export interface ReturnWatch {
  /** Asks after a wait, which grows with each call. */
  begin(): void;
  /** Asks at once: something else shows that the connection may be back. */
  look(): void;
  /** The server has answered a message: the next wait is short again. */
  answered(): void;
  close(): void;
}

/**
 * Makes a watch.
 *
 * @param isThere asks the server
 * @param onReturn called once for each time that it answered
 */
export function createReturnWatch(isThere: () => Promise<boolean>, onReturn: () => void): ReturnWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waits = 0;
  let isAsking = false;
  let isClosed = false;
  const begin = () => {
    if (timer !== undefined || isAsking || isClosed) return;
    timer = setTimeout(() => void look(), Math.min(askAfterMs * 2 ** waits, askAfterMsMax));
    waits += 1;
  };
  const look = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (isAsking || isClosed) return;
    isAsking = true;
    const isBack = await isThere();
    isAsking = false;
    if (isClosed) return;
    if (isBack) onReturn();
    else begin();
  };
  return {
    begin,
    look: () => void look(),
    answered: () => {
      waits = 0;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
