import { useCallback, useEffect, useState } from "react";

/** Devices by kind. They have no names before the page was allowed to use one. */
export type Devices = Readonly<Record<MediaDeviceKind, readonly MediaDeviceInfo[]>>;

const none: Devices = { audioinput: [], videoinput: [], audiooutput: [] };

/** The devices that can be chosen, followed as they are plugged in and out; `read` reads them again. */
export function useDevices(): { devices: Devices; read: () => void } {
  const [devices, setDevices] = useState(none);
  const read = useCallback(() => {
    // Browsers have no devices for pages without encryption, contrary to the types.
    const source: MediaDevices | undefined = navigator.mediaDevices;
    source?.enumerateDevices().then(
      (list) => setDevices(byKind(list)),
      () => undefined,
    );
  }, []);
  useEffect(() => {
    read();
    const source: MediaDevices | undefined = navigator.mediaDevices;
    source?.addEventListener("devicechange", read);
    return () => source?.removeEventListener("devicechange", read);
  }, [read]);
  return { devices, read };
}

/** The system's preferred devices are listed by Chromium under names of their own; the first choice stands for them. */
function byKind(list: readonly MediaDeviceInfo[]): Devices {
  const named = list.filter(
    ({ deviceId }) => deviceId !== "" && deviceId !== "default" && deviceId !== "communications",
  );
  const of = (kind: MediaDeviceKind) => named.filter((device) => device.kind === kind);
  return { audioinput: of("audioinput"), videoinput: of("videoinput"), audiooutput: of("audiooutput") };
}
