import { type ParleyClient, ParleyError } from "@parley/client";
import { useEffect, useState } from "react";
import { useSession } from "./session.js";

const names = new WeakMap<ParleyClient, Map<string, Promise<string | null>>>();

/** The name of an account, null when it is gone; asked for once. A failure is forgotten, so that the next caller asks. */
function nameOf(client: ParleyClient, userId: string): Promise<string | null> {
  const known = names.get(client) ?? new Map<string, Promise<string | null>>();
  names.set(client, known);
  const asked = known.get(userId);
  if (asked !== undefined) return asked;
  const name = client.users.get(userId).then(
    ({ username }) => username,
    (error: unknown) => {
      if (error instanceof ParleyError && error.status === 404) return null;
      known.delete(userId);
      throw error;
    },
  );
  known.set(userId, name);
  return name;
}

/** Shows the name of an account that a record names by its id alone; `fallback` when there is none any more. */
export function UserName({ userId, fallback }: { userId: string | null; fallback: string }) {
  const { client } = useSession();
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (userId !== null) {
      nameOf(client, userId).then(
        (found) => isCurrent && setName(found),
        // The id's place stays with the fallback.
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [client, userId]);
  return <bdi>{name ?? fallback}</bdi>;
}
