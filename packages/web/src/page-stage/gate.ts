/** A point at which something waits. */
export interface Gate {
  /** Resolves when it is open. */
  readonly opened: Promise<void>;
  open(): void;
}

/** Makes a closed gate. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
