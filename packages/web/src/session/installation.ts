import type { Instance, ParleyClient } from "@parley/client";
import { useEffect, useState } from "react";

const answers = new WeakMap<ParleyClient, Promise<Instance | null>>();

/** Asks once for each session. An installation that does not answer looks like Parley. */
function ask(client: ParleyClient): Promise<Instance | null> {
  const answer = answers.get(client) ?? client.instance.read().catch(() => null);
  answers.set(client, answer);
  return answer;
}

/** The installation's description of itself, null until it has answered. */
export function useInstallation(client: ParleyClient): Instance | null {
  const [installation, setInstallation] = useState<Instance | null>(null);
  useEffect(() => {
    let isShown = true;
    void ask(client).then((answer) => isShown && setInstallation(answer));
    return () => {
      isShown = false;
    };
  }, [client]);
  return installation;
}

/** The name of the installation, for titles. */
export const useInstallationName = (client: ParleyClient): string => useInstallation(client)?.name ?? "Parley";
