import { create } from "zustand";
import { whenFree } from "./reload.js";

/** How often an open page looks for a newer version, in milliseconds. */
const lookMs = 3_600_000;

let isBegun = false;

/** The worker of a newer version, which waits until no page of this one is open; null while there is none. */
export const useNewVersion = create<{ waiting: ServiceWorker | null }>(() => ({ waiting: null }));

/**
 * Keeps the files of the page in the browser (src/worker/worker.ts), so that the page opens without a network and an
 * open page has all of its parts while the server has a newer version; says in {@link useNewVersion} when there is one.
 */
export async function keepVersion(): Promise<void> {
  if (isBegun || !import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  isBegun = true;
  const { serviceWorker } = navigator;
  let isKept = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // The first one is of the same version.
    if (isKept) whenFree(() => location.reload());
    isKept = true;
  });
  const { BASE_URL } = import.meta.env;
  await serviceWorker.register(`${BASE_URL}sw.js`, { scope: BASE_URL });
  const registration = await serviceWorker.ready;
  const look = () => useNewVersion.setState({ waiting: registration.waiting });
  const follow = () => registration.installing?.addEventListener("statechange", look);
  registration.addEventListener("updatefound", follow);
  follow();
  look();
  // Without a network there is no newer version.
  setInterval(() => void registration.update().catch(() => undefined), lookMs);
}

/** Changes all pages of the browser to the newer version: each loads itself again, once nothing is lost by that. */
export function changeToNewVersion(): void {
  const { waiting } = useNewVersion.getState();
  // Another page has asked before, and this one had something to lose then.
  if (waiting?.state !== "installed") location.reload();
  else waiting.postMessage("use this version");
}
