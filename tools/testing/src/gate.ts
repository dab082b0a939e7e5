/** A point that work waits at until a test opens it; it stays open. */
export interface Gate {
  /** Resolves when the gate is opened, at once if it is open already. */
  readonly opened: Promise<void>;
  /** Lets everything past that waits for `opened`; has no effect the second time. */
  readonly open: () => void;
}

/**
 * Creates a closed gate. A test holds work back by letting it await `opened`, or waits for a moment in another process
 * or callback by letting that call `open`.
 */
export function createGate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
