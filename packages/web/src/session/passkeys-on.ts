import { useEffect, useState } from "react";
import { useSession } from "./session.js";

/** Whether this browser has passkeys at all. */
export const canPasskeys = "PublicKeyCredential" in window;

/** Whether this browser and this installation have passkeys; false until that is known. */
export function usePasskeysOn(): boolean {
  const { client } = useSession();
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!canPasskeys) return;
    const leave = new AbortController();
    client.instance.signIn({ signal: leave.signal }).then(
      ({ passkeys }) => setOn(passkeys),
      // Without an answer there is the password.
      () => undefined,
    );
    return () => leave.abort();
  }, [client]);
  return isOn;
}
