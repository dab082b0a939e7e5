/** Calls the listener after every change of an entry of localStorage in another tab; returns what ends that. */
export function onOtherTab(storageKey: string, listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === storageKey) listener();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
