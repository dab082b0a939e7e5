import type { PictureKey } from "@parley/client";
import { useEffect } from "react";
import { create } from "zustand";

/** Before the key ends, in milliseconds: another one is read. */
const renewBeforeMs = 3_600_000;

/** The key with which pictures of other people's servers are read through this instance; null until one is needed. */
const usePictureKey = create<{ key: PictureKey | null }>(() => ({ key: null }));
let read: (() => Promise<PictureKey>) | null = null;
let isReading = false;

/** Sets the function that reads the key while there is a session. @returns a function that ends that */
export function offerPictureKey(request: () => Promise<PictureKey>): () => void {
  read = request;
  return () => {
    read = null;
    usePictureKey.setState({ key: null });
  };
}

const isForeign = (url: string): boolean => /^https?:/i.test(url);

/**
 * Where the browser gets a picture: from this instance, also one of another server, which must not learn who looks at it.
 * Null without an address, and until the key is there; without a session there is none.
 */
export function usePicture(url: string | null): string | null {
  const key = usePictureKey((state) => state.key);
  const needsKey = url !== null && isForeign(url);
  useEffect(() => {
    if (needsKey) void renew();
  }, [needsKey]);
  if (!needsKey) return url;
  return key === null ? null : `/api/embed-pictures?url=${encodeURIComponent(url)}&key=${key.key}`;
}

async function renew(): Promise<void> {
  const { key } = usePictureKey.getState();
  if (read === null || isReading || (key !== null && Date.parse(key.expires_at) - Date.now() > renewBeforeMs)) return;
  isReading = true;
  try {
    usePictureKey.setState({ key: await read() });
  } catch {
    // Initials stand there, and the next picture asks again.
  } finally {
    isReading = false;
  }
}
